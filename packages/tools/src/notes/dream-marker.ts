import { createNotesStore, type NotesIdentity, type NotesStore } from "@notesoup/notes";

/**
 * Marks a context as a dream's. In a dream the notes in its scope can be written, whosever they are,
 * and the dream's own store says what may be done: beside the store's refusals it throws `Refused`
 * with `out_of_scope`, `changed_since` and `dream_aborted`.
 */
export interface DreamMarker {
  /** Opens the store in which the notes operations of the dream work. */
  readonly openStore: (identity: NotesIdentity) => NotesStore;
}

/** The store of a call: a dream's own, where it is made in one. */
export function storeOf(dream: DreamMarker | undefined, identity: NotesIdentity): NotesStore {
  return dream === undefined ? createNotesStore(identity) : dream.openStore(identity);
}
