import { again, type HistoryCorpus } from "@notesoup/history";
import { historyListTool, historyReadTool } from "@notesoup/protocol";
import { renderHistoryRead } from "@notesoup/render";
import { historyList, historyRead, historyToolContext } from "@notesoup/tools";
import { deliver } from "../answer.ts";
import { checked } from "../checked.ts";
import { interruptible } from "../interrupt.ts";
import { machineCorpus, openedOnce } from "./corpus.ts";
import { watched } from "./progress.ts";

// What the commands of the history work with. It is loaded when one of them runs.

type Given = Readonly<Record<string, unknown>>;

/** `history_list` of all sessions, or of those that the call names. Ctrl-C ends it at any time. */
export function list(given: Given): ReturnType<typeof historyList> {
  const args = checked(historyListTool, given);
  const { corpus, clear } = watched(machineCorpus(), process.stderr);
  return interruptible(clear, () => historyList(historyToolContext({ corpus: () => corpus }), args));
}

/** `history_read`, a part of an event's document. */
export function readPart(given: Given, corpus = machineCorpus()): ReturnType<typeof historyRead> {
  return historyRead(historyToolContext({ corpus: () => corpus }), checked(historyReadTool, given));
}

/**
 * An event's document to its end. What the operation has no room for is taken from the session itself,
 * which stays open: a document may be of many megabytes, and each part would cost as much as all of it.
 */
export function readWhole(session: string, seq: number): ReturnType<typeof historyRead> {
  return again(() => readOpened(session, seq, openedOnce(machineCorpus())));
}

async function readOpened(session: string, seq: number, corpus: HistoryCorpus): ReturnType<typeof historyRead> {
  const answer = await readPart({ session, seq }, corpus);
  if (!answer.outcome.ok || answer.outcome.data.next_offset_chars === null) return answer;
  const ref = await corpus.select(session);
  if ("kind" in ref) return answer;
  const opened = await corpus.open(ref);
  const text = opened.document(opened.event(seq));
  const data = { ...answer.outcome.data, text, next_offset_chars: null };
  return { outcome: { ok: true, data }, text: renderHistoryRead(data) };
}

export { deliver };
