import type { HistoryCorpus, Session } from "@notesoup/history";
import { type Decorate, undecorated } from "../answer.ts";

/** What a host hands to every history operation: its own session, all sessions, and how it decorates text. Immutable. */
export interface HistoryToolContext {
  /** Opens the session in which somebody works: what a call is about that names none. */
  readonly live: (() => Session | Promise<Session>) | undefined;
  /** Opens the sessions of all harnesses: what a call may name. */
  readonly corpus: (() => HistoryCorpus) | undefined;
  readonly decorate: Decorate;
}

/** What a context may have. */
export interface HistoryToolOptions {
  /** Asked for only by a call that names no session; none if absent. */
  readonly live?: HistoryToolContext["live"];
  /** Asked for only by a call that names a session, or several; none if absent. */
  readonly corpus?: HistoryToolContext["corpus"];
  /** Decorates the text of every success; none if absent. */
  readonly decorate?: Decorate | undefined;
}

/** Makes a context. Nothing is opened yet, and nothing is for a call that its arguments refuse. */
export function historyToolContext({
  live,
  corpus,
  decorate = undecorated,
}: HistoryToolOptions = {}): HistoryToolContext {
  return Object.freeze({ live, corpus, decorate });
}
