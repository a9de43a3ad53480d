import type { BaselineNote } from "./run-files.ts";

const DAY_MS = 86_400_000;
/** A note must have been crumpled for so long. */
const CRUMPLED_DAYS = 30;
/** So many a run, and no more than this part of the store. */
const PURGED_MAX = 20;
const PURGED_PART = 0.1;

/**
 * The crumpled notes that plain code may delete at the end of a run: those that were crumpled 30 days
 * ago or earlier and have not been read since, the earliest first. A notebook without a live note keeps
 * what it has; a note that is reached by a link stays.
 *
 * @param notes the notes in scope
 * @param liveNotebooks notebooks that have a live note
 * @param now milliseconds since 1970
 */
export function purgeable(
  notes: readonly BaselineNote[],
  liveNotebooks: ReadonlySet<string>,
  now: number,
): readonly BaselineNote[] {
  return notes
    .filter(({ crumpledAt, lastAccessed, notebook, isLinked }) => {
      if (crumpledAt === null || isLinked || !liveNotebooks.has(notebook)) return false;
      const isOld = Date.parse(crumpledAt) <= now - CRUMPLED_DAYS * DAY_MS;
      return isOld && (lastAccessed === null || lastAccessed <= crumpledAt);
    })
    .toSorted((a, b) => compare(a.crumpledAt ?? "", b.crumpledAt ?? "") || compare(a.address, b.address));
}

/** How many of them a run may delete: 20, and no more than a tenth of the store. */
export function purgeLimit(storeNotes: number): number {
  return Math.min(PURGED_MAX, Math.floor(PURGED_PART * storeNotes));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
