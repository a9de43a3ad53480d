import type { NotesIdentity } from "./identity.ts";
import { matcherOf } from "./matcher.ts";
import { metaOfFile } from "./note-file.ts";
import type { NoteSearchRow, NotesQuery } from "./query.ts";
import { Slices } from "./slices.ts";
import { visitNotes } from "./visit-notes.ts";

/**
 * Finds the notes in whose bodies a text occurs, by address; all that the query selects where
 * nothing is searched for.
 *
 * @throws NoteError those of `matcherOf` and `visitNotes`
 */
export async function searchNotes(
  identity: NotesIdentity,
  queries: readonly string[],
  query: NotesQuery,
): Promise<NoteSearchRow[]> {
  const matcher = await matcherOf(queries, new Slices());
  const rows: NoteSearchRow[] = [];
  await visitNotes(identity, query, {
    isWanted: (text) => matcher?.mayMatch(text) ?? true,
    note: async ({ address, namespace, components }, file) => {
      const matches = (await matcher?.matchesIn(file.text.body)) ?? [];
      if (matcher !== undefined && matches.length === 0) return;
      rows.push({ address, scope: namespace.scope, path: components.join("/"), meta: metaOfFile(file), matches });
    },
  });
  return rows.toSorted((a, b) => (a.address < b.address ? -1 : 1));
}
