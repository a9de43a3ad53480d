import type { Refusal } from "@notesoup/protocol";
import { oneLine } from "@notesoup/text";

/** A refusal: exactly one line, `error: <code>: <message>`. */
export function renderRefusal({ code, error }: Refusal): string {
  return `error: ${code}: ${oneLine(error)}`;
}
