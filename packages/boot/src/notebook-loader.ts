import {
  createNotesStore,
  NoteError,
  type NoteQueryStatus,
  type NoteRow,
  type NotesIdentity,
  type NotesStore,
} from "@notesoup/notes";
import { type BootNote, MAP_NAME, type NotebookContent, type NotebookLoader, notebookForm } from "./notebook.ts";

/**
 * The loader that a boot uses where it is given none: each notebook is a query of its own to the
 * store, so that one that cannot be read leaves the others alone. No access is counted.
 *
 * @throws NoteError `invalid_identity`
 */
export function notebookLoader(identity: NotesIdentity): NotebookLoader {
  const store = createNotesStore(identity);
  return async (notebook) => {
    const { prefix, glob } = notebookForm(notebook);
    let status: NoteQueryStatus = { namespacesUnavailable: [], notesUnavailable: [] };
    const rows = await store.list({ glob, onStatus: (seen) => void (status = seen) });
    if (status.namespacesUnavailable.length > 0) return { status: "unreadable", code: await whyClosed(store, prefix) };
    return contentOf(rows, status, `${prefix}${MAP_NAME}`);
  };
}

function contentOf(
  rows: readonly NoteRow[],
  { notesUnavailable: unavailable }: NoteQueryStatus,
  mapAddress: string,
): NotebookContent {
  // A file that is too large is listed and named as unavailable: here it is the latter alone.
  const unread = new Set(unavailable.flatMap(({ address, code }) => (code === "too_large" ? [address] : [])));
  const read = rows.filter(({ address }) => !unread.has(address));
  const map = read.find(({ address }) => address === mapAddress);
  return {
    status: "ready",
    map: map === undefined ? null : { ...noteOf(map), body: map.body },
    notes: read.filter((row) => row !== map).map(noteOf),
    unavailable,
  };
}

function noteOf({ address, bytes, meta }: NoteRow): BootNote {
  return { address, bytes, updatedAt: meta.updatedAt };
}

/** A query names the notebooks that it cannot read; the code is that with which reading a note there refuses. */
async function whyClosed(store: NotesStore, prefix: string): Promise<string> {
  try {
    await store.read(`${prefix}${MAP_NAME}`);
  } catch (error) {
    if (error instanceof NoteError) return error.code;
    throw error;
  }
  return "io";
}
