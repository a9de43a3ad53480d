import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { NoteError } from "../error.ts";
import { splitNote } from "../frontmatter.ts";
import { type FileTimes, metaOf, type NoteMeta } from "../metadata.ts";
import { changeNoteText } from "../note-file.ts";

/** What a note's file holds. */
export interface NoteContent {
  readonly body: string;
  readonly meta: NoteMeta;
  /** Whether the file has frontmatter. */
  readonly hasFrontmatter: boolean;
  /** What is between the two lines of `---`, where it has frontmatter. */
  readonly block: string | undefined;
}

/** Takes the bytes of a note's file apart; `undefined` where they are not valid UTF-8. */
export function bodyAndMeta(bytes: Buffer, times: FileTimes): NoteContent | undefined {
  if (!isUtf8(bytes)) return undefined;
  const { body, frontmatter } = splitNote(bytes.toString("utf8"));
  return {
    body,
    meta: metaOf(frontmatter?.mapping, times),
    hasFrontmatter: frontmatter !== undefined,
    block: frontmatter?.block,
  };
}

/**
 * What is the same for two states of a note's file exactly where they differ in nothing but counted
 * accesses: to read a note is not to change it.
 */
export function noteVersion(bytes: Buffer): string {
  return createHash("sha256").update(withoutAccess(bytes)).digest("hex").slice(0, 32);
}

function withoutAccess(bytes: Buffer): Buffer | string {
  if (!isUtf8(bytes)) return bytes;
  const note = splitNote(bytes.toString("utf8"));
  const told = note.frontmatter?.mapping.entries.some(({ key }) => key === "lastAccessed" || key === "accessCount");
  if (told !== true) return bytes;
  try {
    return changeNoteText(note, { lastAccessed: undefined, accessCount: undefined }, note.body, "the note");
  } catch (error) {
    // Of a form in which no line can be taken out: then the store counts no access in it either.
    if (error instanceof NoteError) return bytes;
    throw error;
  }
}
