import { examine } from "./doctor/examine.ts";
import { closedGate, type GateFacts } from "./gates.ts";
import { dreamHome } from "./home.ts";
import { findLock, type FoundLock } from "./lock.ts";
import { gatherMaterial } from "./material.ts";
import type { DreamOptions } from "./options.ts";
import { type DreamRecord, readRecord } from "./record.ts";
import { countSessions, lastTime } from "./since.ts";

/** How it stands with dreams. */
export interface DreamStatus {
  readonly lastDream: DreamRecord["lastDream"];
  readonly lastStopped: DreamRecord["lastStopped"];
  /** What the gates look at. */
  readonly facts: GateFacts;
  /** Why no dream may begin, and how far it is; `undefined` where one may. */
  readonly closed: string | undefined;
  /** The lock, where there is one. */
  readonly lock: FoundLock | undefined;
  /** Notes in scope, live ones. */
  readonly notes: number;
}

/**
 * What a dream would find, without one: nothing is locked, made or changed.
 *
 * @param scope glob; every notebook where it is absent
 * @throws NoteError `invalid_glob`, `unknown_scope`, `io`
 */
export async function dreamStatus(
  options: Pick<DreamOptions, "identity" | "sessions" | "session" | "now">,
  scope = "**",
): Promise<DreamStatus> {
  const { identity, now = Date.now } = options;
  const home = dreamHome(identity);
  const record = readRecord(home);
  const { notes, changedNotes } = await gatherMaterial(identity, scope, record);
  const { findings } = await examine(identity, now());
  const facts: GateFacts = {
    changedNotes,
    sessions: await countSessions(options, record),
    lastTime: lastTime(record),
    blocking: findings.filter(({ blocks }) => blocks).length,
  };
  return {
    lastDream: record.lastDream,
    lastStopped: record.lastStopped,
    facts,
    closed: closedGate(facts, now()),
    lock: findLock(home.lock, now()),
    notes: notes.filter(({ crumpledAt }) => crumpledAt === null).length,
  };
}
