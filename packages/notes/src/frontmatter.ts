import { utf8Bytes } from "@notesoup/text";
import type { Mapping } from "./mapping.ts";
import { readMapping } from "./read-mapping.ts";

/** Bytes of the block between the two `---` lines, at the most; a longer one is body. */
export const BLOCK_MAX_BYTES = 16 * 1024;

/** The text of a note's file, taken apart without losing a character: `bom + block + body` is the text. */
export interface NoteText {
  /** A byte order mark at the start of the file, or nothing. It is not part of the body. */
  readonly bom: string;
  readonly frontmatter: Frontmatter | undefined;
  readonly body: string;
}

/** A YAML mapping between two lines of `---`. */
export interface Frontmatter {
  readonly open: string;
  /** What is between the two lines, with its own line ends. */
  readonly block: string;
  readonly close: string;
  readonly mapping: Mapping;
}

const BOM = "\ufeff";
const OPENING = /^---\r?\n/u;
// Without the flag `m`, which would also see a line begin behind a CR or a Unicode separator.
const CLOSING = /(?<=^|\n)---(?:\r?\n|$)/u;

/**
 * Takes a file's text apart. Only a YAML mapping between two lines of `---` at the very start is
 * frontmatter; all else is body, so that a file that a person began with a ruled heading keeps it.
 */
export function splitNote(text: string): NoteText {
  const bom = text.startsWith(BOM) ? BOM : "";
  const content = text.slice(bom.length);
  const plain: NoteText = { bom, frontmatter: undefined, body: content };
  const open = OPENING.exec(content)?.[0];
  if (open === undefined) return plain;
  const afterOpen = content.slice(open.length);
  const closing = CLOSING.exec(afterOpen);
  if (closing === null) return plain;
  const block = afterOpen.slice(0, closing.index);
  if (utf8Bytes(block) > BLOCK_MAX_BYTES) return plain;
  const mapping = readMapping(block);
  if (mapping === undefined) return plain;
  const close = closing[0];
  return { bom, frontmatter: { open, block, close, mapping }, body: afterOpen.slice(closing.index + close.length) };
}

/** The file's text with this block and body; where it had no frontmatter, a block is put above the body. */
export function joinNote({ bom, frontmatter }: NoteText, block: string, body: string): string {
  const open = frontmatter?.open ?? "---\n";
  let close = frontmatter?.close ?? "---\n";
  // A block that ended the file needs a line end before a body can follow it.
  if (body !== "" && !close.endsWith("\n")) close += open.slice(3);
  return `${bom}${open}${block}${close}${body}`;
}
