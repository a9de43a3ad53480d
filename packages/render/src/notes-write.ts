import type { NotesWriteResult } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";

/** The receipt of a write: exactly one line. */
export function renderNotesWrite({ outcome, address, bytes }: NotesWriteResult): string {
  return `${outcome} ${oneLine(address)} · ${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}
