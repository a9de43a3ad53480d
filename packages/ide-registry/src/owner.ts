import { shownName } from "./shown-name.ts";
import { Refusal } from "./refusal.ts";

/** Whose a reference is: a session of a host, in one worktree. */
export interface Owner {
  /** The host's own id of the session. */
  readonly session: string;
  /** The physical path of the worktree's root. Linked worktrees of a repository are different roots. */
  readonly root: string;
}

/**
 * Refuses what belongs to somebody else, also within one process.
 *
 * @throws Refusal `foreign_session`, `foreign_worktree`
 */
export function requireOwner(theirs: Owner, caller: Owner): void {
  if (theirs.session !== caller.session) {
    throw new Refusal(
      "foreign_session",
      "the reference belongs to another session",
      "read or search again in this session",
    );
  }
  if (theirs.root !== caller.root) {
    throw new Refusal(
      "foreign_worktree",
      "the reference belongs to another worktree",
      "read or search again in this worktree",
    );
  }
}

/** A file's name as a message to this owner shows it. */
export function nameFor(owner: Owner, name: string): string {
  return shownName(name, owner.root);
}
