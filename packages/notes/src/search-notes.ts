import { requireList, wrong } from "./given.ts";
import type { NotesIdentity } from "./identity.ts";
import { matcherOf } from "./matcher.ts";
import { metaOfFile } from "./note-file.ts";
import { checkedQuery, type NoteSearchRow, type NotesQuery } from "./query.ts";
import { Slices } from "./slices.ts";
import { pendingTurns } from "./turns.ts";
import { visitNotes } from "./visit-notes.ts";

/**
 * Finds the notes in whose bodies a text occurs, by address; all that the query selects where
 * nothing is searched for.
 *
 * @throws NoteError `invalid_text`, and those of `matcherOf` and `visitNotes`
 */
export async function searchNotes(
  identity: NotesIdentity,
  queries: readonly string[],
  query: NotesQuery,
): Promise<NoteSearchRow[]> {
  const before = pendingTurns(identity.home);
  const asked = checkedQuery(query);
  requireTexts(queries);
  const matcher = await matcherOf(queries, new Slices());
  const rows: NoteSearchRow[] = [];
  await visitNotes(identity, asked, before, {
    isWanted: (text) => matcher?.mayMatch(text) ?? true,
    note: async ({ address, namespace, components }, file) => {
      const matches = (await matcher?.matchesIn(file.text.body)) ?? [];
      if (matcher !== undefined && matches.length === 0) return;
      rows.push({ address, scope: namespace.scope, path: components.join("/"), meta: metaOfFile(file), matches });
    },
  });
  return rows.toSorted((a, b) => (a.address < b.address ? -1 : 1));
}

function requireTexts(queries: readonly unknown[]): void {
  requireList("the list of texts to search for", queries, "texts");
  const index = queries.findIndex((query) => typeof query !== "string");
  if (index !== -1) throw wrong(`text ${index} to search for`, queries[index], "give text");
}
