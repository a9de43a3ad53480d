import type { Answer } from "@notesoup/tools";
import { Refused } from "../refused.ts";

/** A result that holds a part of a text. */
interface Part {
  readonly text: string;
  readonly total_chars: number;
  readonly next_offset_chars: number | null;
}

/**
 * Reads a text to its end: an operation delivers what fits its budget, and the parts are one result.
 *
 * @param read asks the operation for the part that begins at an offset; at the start, if absent
 * @param isSame whether two parts are of one state of the text
 * @throws Refused `changed`
 */
export async function wholeText<Result extends Part>(
  read: (offsetChars?: number) => Promise<Answer<Result>>,
  render: (result: Result) => string,
  isSame: (a: Result, b: Result) => boolean,
): Promise<Answer<Result>> {
  const first = await read();
  if (!first.outcome.ok || first.outcome.data.next_offset_chars === null) return first;
  const beginning = first.outcome.data;
  const texts = [beginning.text];
  for (let offset: number | null = beginning.next_offset_chars; offset !== null;) {
    const next: Answer<Result> = await read(offset);
    if (!next.outcome.ok) return next;
    const part: Result = next.outcome.data;
    if (part.total_chars !== beginning.total_chars || !isSame(beginning, part))
      throw new Refused("changed", "the text changed while it was read; read it again");
    texts.push(part.text);
    offset = part.next_offset_chars;
  }
  const data = { ...beginning, text: texts.join(""), next_offset_chars: null };
  return { outcome: { ok: true, data }, text: render(data) };
}
