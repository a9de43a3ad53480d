import type { NoteQueryStatus } from "@notesoup/notes";
import type { NotesListResult } from "@notesoup/protocol";

type UnavailableFields = Pick<NotesListResult, "namespaces_unavailable" | "notes_unavailable" | "more_unavailable">;

/** How many namespaces, and how many notes, a result names that could not be read. */
const NAMED_MAX = 20;

/** What a query could not read, of which a result names as much as it has room for, and counts the rest. */
export interface Unavailable {
  /** How many namespaces and notes a result may name. */
  readonly nameable: number;
  /** The fields of a result that names so many, the namespaces first. */
  readonly fields: (named: number) => UnavailableFields;
}

/** Runs a query of the store, and gives with its rows what it could not read. */
export async function queried<Row>(
  query: (onStatus: (status: NoteQueryStatus) => void) => Promise<Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly unavailable: Unavailable }> {
  let status: NoteQueryStatus = { namespacesUnavailable: [], notesUnavailable: [] };
  const rows = await query((told) => {
    status = told;
  });
  return { rows, unavailable: unavailableOf(status) };
}

function unavailableOf({ namespacesUnavailable, notesUnavailable }: NoteQueryStatus): Unavailable {
  const namespaces = namespacesUnavailable.slice(0, NAMED_MAX);
  const notes = notesUnavailable.slice(0, NAMED_MAX).map(({ address, code }) => ({ address, code }));
  const all = namespacesUnavailable.length + notesUnavailable.length;
  return {
    nameable: namespaces.length + notes.length,
    fields: (named) => {
      const namedNotes = Math.max(0, named - namespaces.length);
      return {
        ...(named === 0 || namespaces.length === 0 ? {} : { namespaces_unavailable: namespaces.slice(0, named) }),
        ...(namedNotes === 0 ? {} : { notes_unavailable: notes.slice(0, namedNotes) }),
        ...(named === all ? {} : { more_unavailable: all - named }),
      };
    },
  };
}
