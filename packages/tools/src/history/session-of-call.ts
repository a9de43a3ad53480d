import type { HistoryCorpus, Session, Wildcard } from "@notesoup/history";
import { quote } from "@notesoup/text";
import { Refused } from "../refused.ts";
import type { HistoryToolContext } from "./context.ts";

/** One session. */
export interface OneSession {
  readonly session: Session;
  /** Its canonical name where the call named it, even where it is the live one; else nothing on the wire names it. */
  readonly name: string | undefined;
}

/** Several sessions. */
export interface SeveralSessions {
  readonly corpus: HistoryCorpus;
  readonly wildcard: Wildcard;
}

/**
 * What a call is about: the live session where it names none, else what its selector means (Sessions
 * across harnesses). Of several sessions none is opened.
 *
 * @throws Refused `session_not_found`, `invalid_text` (a selector that is no text)
 * @throws HistoryError the codes of the corpus
 */
export async function sessionOfCall(
  { live, corpus: openCorpus }: HistoryToolContext,
  selector: unknown,
): Promise<OneSession | SeveralSessions> {
  if (selector === undefined) {
    if (live !== undefined) return { session: await live(), name: undefined };
    throw new Refused("session_not_found", 'no session is live here; name one: session "*" lists the latest');
  }
  if (typeof selector !== "string")
    throw new Refused("invalid_text", `session is a value of type ${typeof selector}; give text, or leave it out`);
  if (openCorpus === undefined)
    throw new Refused(
      "session_not_found",
      `there is no session ${quote(selector, 80)}: none but the live one can be read here; leave session out`,
    );
  const corpus = openCorpus();
  const selected = await corpus.select(selector);
  if ("kind" in selected) return { corpus, wildcard: selected };
  return { session: await corpus.open(selected), name: selected.name };
}
