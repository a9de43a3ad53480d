import type { NotesReadResult } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";
import { continuation } from "./continuation.ts";

/**
 * A read note: its address, a line of metadata, a blank line, and the delivered part of the body
 * verbatim; where it is incomplete, one line that says where to go on. The note's own frontmatter
 * stands as one line of JSON above the blank line.
 */
export function renderNotesRead({ address, metadata, text, next_offset_chars: next }: NotesReadResult): string {
  const { origin, created_at, updated_at, crumpled_at, project, extra } = metadata;
  const facts = [`origin ${origin}`, `created ${created_at}`, `updated ${updated_at}`];
  if (crumpled_at !== undefined) facts.push(`crumpled ${crumpled_at}`);
  if (project !== undefined) facts.push(`project ${project}`);
  const header = [oneLine(address), facts.join(" · ")];
  if (extra !== undefined) header.push(`frontmatter ${oneLine(JSON.stringify(extra))}`);
  return `${header.join("\n")}\n\n${text}${continuation(text, next)}`;
}
