import { homedir } from "node:os";
import { dirname } from "node:path";
import {
  createHistoryCorpus,
  defaultHistoryRoots,
  HistoryError,
  type HistoryRoots,
  type LiveSession,
  openLiveSession,
  SessionCache,
} from "@notesoup/history";
import { historyToolContext, type HistoryToolContext } from "@notesoup/tools";
import type { SessionFacts } from "../transport/request.ts";
import { LiveTranscripts } from "./live-transcript.ts";

const cache = new SessionCache();
const transcripts = new LiveTranscripts();

/** What a call can look into: the session's own transcript, up to the head that the host names, and the sessions of every harness. */
export function historyOf(session: SessionFacts): HistoryToolContext {
  const roots = rootsWith(session.transcriptPath);
  return historyToolContext({
    ...(session.transcriptPath === "" ? {} : { live: async () => openLiveSession(await liveSession(session)) }),
    corpus: () => createHistoryCorpus({ roots, cache }),
  });
}

/**
 * The session in which somebody works, as its transcript has it.
 *
 * @throws HistoryError `session_unreadable`
 */
export async function liveSession({ sessionId, transcriptPath, head }: SessionFacts): Promise<LiveSession> {
  const records = await transcripts.read(transcriptPath, head);
  if (records === undefined)
    throw new HistoryError(
      "session_unreadable",
      'the transcript of this session is not there any more; session "*" lists the others',
    );
  return { harness: "claude", id: sessionId, records, head };
}

/** Where the harnesses keep their sessions, and where this host does, wherever that was set. */
function rootsWith(transcriptPath: string): HistoryRoots {
  const roots = defaultHistoryRoots({ home: homedir(), env: process.env });
  const own = transcriptPath === "" ? [] : [dirname(dirname(transcriptPath))];
  return { ...roots, claude: [...new Set([...own, ...(roots.claude ?? [])])] };
}
