import { Refusal } from "./refusal.ts";
import { requireBoundaries, span, type Span } from "./span.ts";

/** A place in a text: the line counted from 1, the column in UTF-16 units from 0. */
export interface LineCol {
  readonly line: number;
  readonly col: number;
}

const LINE_ENDING = /\r\n|\n|\r/gu;

/**
 * Where the lines of a text lie. LF, CRLF and a CR alone end a line; what follows the last ending is
 * a line only if it is not empty, so that an empty text has none.
 */
export class Lines {
  readonly #text: string;
  /** Where each line begins, and, last, where the text ends. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    const starts = [0];
    for (const match of text.matchAll(LINE_ENDING)) starts.push(match.index + match[0].length);
    if (starts.at(-1) !== text.length) starts.push(text.length);
    this.#starts = starts;
  }

  /** How many lines there are. */
  get count(): number {
    return this.#starts.length - 1;
  }

  /** Whole lines, from `first` to `last`, with their endings. */
  whole(first: number, last: number): Span {
    this.#require(first, last);
    return span(this.#starts[first - 1] ?? 0, this.#starts[last] ?? this.#text.length);
  }

  /** The text of lines, from `first` to `last`, without the ending of the last. */
  content(first: number, last: number): Span {
    const { start, end } = this.whole(first, last);
    return span(start, this.#withoutEnding(end, this.#starts[last - 1] ?? 0));
  }

  /** The line in which a unit, or the position before it, lies. The end of a text belongs to its last line, or, after an ending, to the line that would follow. */
  at(offset: number): LineCol {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const start = this.#starts[low] ?? 0;
    if (low === this.count && low > 0 && offset === this.#text.length && !this.#endsLine(start)) {
      return { line: low, col: offset - (this.#starts[low - 1] ?? 0) };
    }
    return { line: low + 1, col: offset - start };
  }

  /**
   * The offset of a place. A column may lie at the end of its line, not past it.
   *
   * @throws Refusal `invalid_range`
   */
  offset({ line, col }: LineCol): number {
    const isAfterLast = line === this.count + 1 && (this.count === 0 || this.#endsLine(this.#text.length));
    const { start, end } = isAfterLast ? span(this.#text.length, this.#text.length) : this.content(line, line);
    if (!Number.isInteger(col) || col < 0 || start + col > end) {
      throw new Refusal(
        "invalid_range",
        `line ${line} has no column ${col}: it has ${end - start} units`,
        "choose a column within the line",
      );
    }
    return start + col;
  }

  #endsLine(end: number): boolean {
    const last = this.#text.charCodeAt(end - 1);
    return end > 0 && (last === 0x0a || last === 0x0d);
  }

  #withoutEnding(end: number, from: number): number {
    if (end > from && this.#text.charCodeAt(end - 1) === 0x0a) {
      return end - 1 > from && this.#text.charCodeAt(end - 2) === 0x0d ? end - 2 : end - 1;
    }
    return end > from && this.#text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
  }

  #require(first: number, last: number): void {
    if (Number.isInteger(first) && Number.isInteger(last) && 1 <= first && first <= last && last <= this.count) return;
    throw new Refusal(
      "invalid_range",
      first === last
        ? `there is no line ${first} of ${this.count}`
        : `there are no lines ${first} to ${last} of ${this.count}`,
      "choose lines that exist, counted from 1",
    );
  }
}

/**
 * The range between two places of a text.
 *
 * @throws Refusal `invalid_range` where a place does not exist or the second comes first;
 * `splits_code_point`, `splits_crlf`
 */
export function spanAt(text: string, from: LineCol, to: LineCol): Span {
  const lines = new Lines(text);
  const found = span(lines.offset(from), lines.offset(to));
  requireBoundaries(text, found);
  return found;
}
