import { utf8Bytes } from "@notesoup/text";
import type { FoundNote } from "./found-notes.ts";
import type { NotesIdentity } from "./identity.ts";
import { metaOf } from "./metadata.ts";
import { metaOfFile } from "./note-file.ts";
import { checkedQuery, type NoteRow, type NotesQuery } from "./query.ts";
import { pendingTurns } from "./turns.ts";
import { visitNotes } from "./visit-notes.ts";

/** Lists the notes that a query selects, by time of update, the newest first, then by address. */
export async function listNotes(identity: NotesIdentity, query: NotesQuery): Promise<NoteRow[]> {
  const before = pendingTurns(identity.home);
  const rows: NoteRow[] = [];
  await visitNotes(identity, checkedQuery(query), before, {
    note: (found, file) => {
      const { body } = file.text;
      rows.push({ ...rowOf(found), meta: metaOfFile(file), body, bytes: utf8Bytes(body) });
    },
    // Named as unavailable too: its body is not here, and its frontmatter was not read.
    tooLarge: (found, stats) => {
      rows.push({ ...rowOf(found), meta: metaOf(undefined, stats), body: "", bytes: stats.size });
    },
  });
  return rows.toSorted((a, b) => compare(b.meta.updatedAt, a.meta.updatedAt) || compare(a.address, b.address));
}

function rowOf({ address, namespace, components }: FoundNote): Pick<NoteRow, "address" | "scope" | "path"> {
  return { address, scope: namespace.scope, path: components.join("/") };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
