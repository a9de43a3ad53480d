/**
 * What the doctor looks for.
 *
 * - `not_a_folder`: something that is no folder stands where a notebook should be
 * - `notebook_unreadable`, `note_unreadable`: the system does not let it be read
 * - `too_large`: the file is larger than a note may be
 * - `not_utf8`: the file, or its name, is not UTF-8
 * - `frontmatter`: a block is meant as frontmatter and cannot be read as such, or says a time or an origin that is none
 * - `half_renamed`: two notes are one that was moved, where the move did not come to its end
 * - `shadowed`, `name_collision`: names that are one name to some file systems
 * - `unreachable`: no address leads to the file
 * - `dangling_link`: a link leads nowhere; `outside_home`: it leads out of the notes home
 * - `stale_temporary`, `stale_lock`: left by a process that died
 * - `dream_lock`: the lock of a dream that is not known to live; `dead_run`: a dream that died, and is not settled
 * - `map_line`: a line of a `MAP.md` names a note that is gone or crumpled
 */
export type FindingCode =
  | "not_a_folder"
  | "notebook_unreadable"
  | "note_unreadable"
  | "too_large"
  | "not_utf8"
  | "frontmatter"
  | "half_renamed"
  | "shadowed"
  | "name_collision"
  | "unreachable"
  | "dangling_link"
  | "outside_home"
  | "stale_temporary"
  | "stale_lock"
  | "dream_lock"
  | "dead_run"
  | "map_line";

/** Something that the doctor found. */
export interface DoctorFinding {
  readonly code: FindingCode;
  /** The address of a note, or a path in the notes home. */
  readonly where: string;
  /** What is wrong and what helps, one line. */
  readonly message: string;
  /** Whether it stands in the way of a dream. */
  readonly blocks: boolean;
}

const BLOCKING: ReadonlySet<FindingCode> = new Set(["not_a_folder", "notebook_unreadable", "half_renamed"]);

/** A finding, which blocks where its kind does. */
export function finding(code: FindingCode, where: string, message: string): DoctorFinding {
  return { code, where, message, blocks: BLOCKING.has(code) };
}
