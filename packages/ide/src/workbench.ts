import type { Disk, Handle, Owner, ResultRegistry, SourceKey, SourceStore } from "@notesoup/ide-registry";
import type { IdeLimits } from "./limits.ts";
import type { PostEdit } from "./post-edit.ts";
import type { UndoMemory } from "./undo-memory.ts";

/** What all operations of one session work with. */
export interface Workbench {
  readonly owner: Owner;
  readonly disk: Disk;
  readonly store: SourceStore;
  readonly results: ResultRegistry;
  readonly limits: IdeLimits;
  readonly postEdit: PostEdit | undefined;
  readonly undo: UndoMemory;
  /** Files in which a text to find was not found, and none may be looked for until an edit by reference has succeeded. */
  readonly blocked: Set<SourceKey>;
  /** The id under which a handle was issued. */
  readonly ids: WeakMap<Handle, string>;
}
