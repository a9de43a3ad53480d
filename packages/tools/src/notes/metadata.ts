import type { JsonValue, NoteMeta } from "@notesoup/notes";
import type { NotesReadResult } from "@notesoup/protocol";
import { jsonBytes } from "@notesoup/text";

type NoteMetadata = NotesReadResult["metadata"];

/** Bytes of JSON that one entry of a note's own frontmatter may take, and all of them together. */
const ENTRY_MAX_BYTES = 1024;
const ALL_ENTRIES_MAX_BYTES = 2048;

const OMITTED = "[omitted: too large]";

/** A note's metadata on the wire: without access counts and times, its own frontmatter within bounds. */
export function wireMetadata({ origin, createdAt, updatedAt, crumpledAt, project, extra }: NoteMeta): NoteMetadata {
  const bounded = boundedExtra(extra);
  return {
    origin,
    created_at: createdAt,
    updated_at: updatedAt,
    ...(crumpledAt === undefined ? {} : { crumpled_at: crumpledAt }),
    ...(project === undefined ? {} : { project }),
    ...(bounded === undefined ? {} : { extra: bounded }),
  };
}

/** Each entry that is too large by itself, and every one past the bound of all together, keeps its key and says so. */
function boundedExtra(extra: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> | undefined {
  const entries = Object.entries(extra);
  if (entries.length === 0) return undefined;
  let spent = 0;
  const bounded = entries.map(([key, value]): [string, JsonValue] => {
    const bytes = jsonBytes({ [key]: value });
    if (bytes > ENTRY_MAX_BYTES || spent + bytes > ALL_ENTRIES_MAX_BYTES) return [key, OMITTED];
    spent += bytes;
    return [key, value];
  });
  // Unlike assignment this makes an own property of every name, `__proto__` too.
  return Object.fromEntries(bounded);
}
