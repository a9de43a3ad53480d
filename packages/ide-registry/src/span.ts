import { Refusal } from "./refusal.ts";

/** A position in UTF-16 units, counted from 0. Never a count of code points. */
export type Utf16 = number & { readonly unit: "utf16" };

/** The units from `start` up to, not including, `end`. Equal ends are a position: a legal range of no width. */
export interface Span {
  readonly start: Utf16;
  readonly end: Utf16;
}

/** A range of UTF-16 units. It is checked where it is held, not here. */
export function span(start: number, end: number): Span {
  return { start: start as Utf16, end: end as Utf16 };
}

/** The order of two ranges in a text: by where they begin, a position before a range that begins there. */
export function compareSpans(one: Span, other: Span): number {
  return one.start - other.start || one.end - other.end;
}

/** The same units as `spans` cover, as the fewest ranges, in order: those that share a unit or touch are one. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const next of isSorted(spans) ? spans : spans.toSorted(compareSpans)) {
    const last = result.at(-1);
    if (last === undefined || next.start > last.end) result.push(next);
    else if (next.end > last.end) result[result.length - 1] = { start: last.start, end: next.end };
  }
  return result;
}

function isSorted(spans: readonly Span[]): boolean {
  for (let index = 1; index < spans.length; index++) {
    if (compareSpans(spans[index - 1] as Span, spans[index] as Span) > 0) return false;
  }
  return true;
}

/** Whether every unit, and every position, of `inner` lies within what `outer` covers. */
export function areWithin(inner: readonly Span[], outer: readonly Span[]): boolean {
  const cover = merged(outer);
  return inner.every((one) => {
    let low = 0;
    let high = cover.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cover[middle] as Span).end < one.start) low = middle + 1;
      else high = middle;
    }
    const candidate = cover[low];
    return candidate !== undefined && candidate.start <= one.start && one.end <= candidate.end;
  });
}

/**
 * Whether two edits of one batch get in each other's way: ranges that share a unit, or a position
 * strictly inside of a range. Ranges that touch do not, nor do positions at one place.
 */
export function areOverlapping(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

/**
 * Refuses a range that cannot be of this text.
 *
 * @throws Refusal `invalid_range`, `splits_code_point`, `splits_crlf`
 */
export function requireBoundaries(text: string, { start, end }: Span): void {
  if (!(Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= text.length)) {
    throw new Refusal(
      "invalid_range",
      `a range of units ${start} to ${end} is not of this text of ${text.length}`,
      "choose positions within the text",
    );
  }
  requireBoundary(text, start);
  if (end !== start) requireBoundary(text, end);
}

function requireBoundary(text: string, at: number): void {
  if (at === 0 || at === text.length) return;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before === 0x0d && after === 0x0a) {
    throw new Refusal(
      "splits_crlf",
      `unit ${at} lies between CR and LF`,
      "begin and end before or after the line ending",
    );
  }
  if (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff) {
    throw new Refusal("splits_code_point", `unit ${at} lies inside of a character`, "begin and end between characters");
  }
}
