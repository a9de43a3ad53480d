import { areWithin, merged, span, type Span } from "@notesoup/ide-registry";

/** The ranges of `spans` that lie wholly within what `others` cover. */
export function inside(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return spans.filter((one) => areWithin([one], others));
}

/** What both cover: the common part of each range of `spans` with each stretch of `others`. */
export function overlap(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  const cover = merged(others);
  return spans.flatMap((one) =>
    cover.flatMap((other) => {
      const [start, end] = [Math.max(one.start, other.start), Math.min(one.end, other.end)];
      // A position belongs to what it lies in or touches; ranges that only touch have no part in common.
      return start < end || (start === end && (one.start === one.end || other.start === other.end))
        ? [span(start, end)]
        : [];
    }),
  );
}

/** What is left of each range of `spans` without what `others` cover. Positions inside of those go, at their edges stay. */
export function minus(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  const cover = merged(others).filter(({ start, end }) => start < end);
  return spans.flatMap((one) => {
    if (one.start === one.end) return cover.some(({ start, end }) => start < one.start && one.start < end) ? [] : [one];
    const left: Span[] = [];
    let from: number = one.start;
    for (const { start, end } of cover) {
      if (end <= from || start >= one.end) continue;
      if (start > from) left.push(span(from, start));
      from = end;
    }
    if (from < one.end) left.push(span(from, one.end));
    return left;
  });
}

/** What either covers, ranges that touch as one; no gap is bridged. */
export function join(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return merged([...spans, ...others]);
}
