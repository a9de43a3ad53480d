import {
  createHistoryCorpus,
  defaultHistoryRoots,
  type HistoryCorpus,
  type HistoryRoots,
  type Session,
  type SessionRef,
  type Wildcard,
} from "@notesoup/history";
import { personHome } from "../person-home.ts";

/** Where the harnesses of this machine keep their sessions. */
export function machineRoots(): HistoryRoots {
  return defaultHistoryRoots({ home: personHome(), env: process.env });
}

/** The sessions of every harness of this machine. */
export function machineCorpus(): HistoryCorpus {
  return createHistoryCorpus({ roots: machineRoots() });
}

/** The same sessions, for calls about one of them: it is looked for and opened once. */
export function openedOnce(corpus: HistoryCorpus): HistoryCorpus {
  const selected = new Map<string, Promise<SessionRef | Wildcard>>();
  const opened = new Map<string, Promise<Session>>();
  return {
    sessions: (harness) => corpus.sessions(harness),
    mayHold: (ref, pattern) => corpus.mayHold(ref, pattern),
    select: (selector) => remembered(selected, selector, () => corpus.select(selector)),
    open: (ref) => remembered(opened, ref.name, () => corpus.open(ref)),
  };
}

function remembered<Value>(
  values: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
}
