import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { putFile } from "@notesoup/notes/maintenance";
import type { DreamHome } from "./home.ts";

/** How a run ended. */
export interface EndedRun {
  readonly run: string;
  /** When it ended, milliseconds since 1970. */
  readonly time: number;
}

/** How a run was stopped, or taken back. */
export interface StoppedRun extends EndedRun {
  readonly why: string;
  /** Whether the next one may come at once: it was not the dream's own fault. */
  readonly mayRetry: boolean;
}

/** What is remembered of the dreams of a home: what the gates read. */
export interface DreamRecord {
  /** The last dream that came to its end. */
  readonly lastDream?: EndedRun | undefined;
  /** The last one that was stopped, and why. */
  readonly lastStopped?: StoppedRun | undefined;
  /** Names of the sessions that were dreams', the last one last. */
  readonly sessions: readonly string[];
  /** The version of each note that a dream has seen, by its path in the home. */
  readonly versions: Readonly<Record<string, string>>;
}

const NOTHING: DreamRecord = { sessions: [], versions: {} };

/** So many sessions of dreams are remembered: far more than there are between two dreams. */
const SESSIONS_MAX = 256;

function recordPath({ state }: DreamHome): string {
  return join(state, "record.json");
}

/** Reads the record; what is missing, or was damaged, is nothing. */
export function readRecord(home: DreamHome): DreamRecord {
  const path = recordPath(home);
  if (!existsSync(path)) return NOTHING;
  try {
    return { ...NOTHING, ...(JSON.parse(readFileSync(path, "utf8")) as Partial<DreamRecord>) };
  } catch {
    // As before the first dream: it is made anew at the end of the next one.
    return NOTHING;
  }
}

/** Replaces the record, whole. */
export async function writeRecord(home: DreamHome, record: DreamRecord): Promise<void> {
  const kept = { ...record, sessions: [...new Set(record.sessions)].slice(-SESSIONS_MAX) };
  await putFile(recordPath(home), { bytes: JSON.stringify(kept), mode: 0o600 });
}
