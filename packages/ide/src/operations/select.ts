import {
  areWithin,
  type Handle,
  type Item,
  Lines,
  merged,
  Refusal,
  requireBoundaries,
  shownName,
  span,
  spanAt,
  type Span,
  type TextPart,
} from "@notesoup/ide-registry";
import type { Answer } from "../answer.ts";
import type { Call } from "../call.ts";
import { captureWhole, notEditable, resolveInput } from "../inputs.ts";
import { inside, join, minus, overlap } from "../range-sets.ts";
import type { IdeArguments, SelectOperation } from "../schemas.ts";
import { beginningOf, preview } from "../shown-text.ts";
import type { Workbench } from "../workbench.ts";

type SetOperation = Extract<SelectOperation, { with: string }>;
type Operation<Kind extends SelectOperation["kind"]> = Extract<SelectOperation, { kind: Kind }>;

/** A range that was derived, and which range of the input it came from, counted through all files. */
interface Derived {
  readonly span: Span;
  readonly from: readonly number[];
}

/** Takes parts of an earlier result. */
export async function select(
  bench: Workbench,
  { path, operation }: IdeArguments<"select">,
  call: Call,
): Promise<Answer> {
  await call.scope.boundary();
  const base = await handleOf(bench, call, path);
  const held = await bench.store.use(base, bench.owner, { signal: call.signal });
  const bases: Handle[] = [base];
  let derived: readonly (readonly Derived[])[];
  let parts = held.parts;
  if (isSet(operation)) {
    const other = await handleOf(bench, call, operation.with);
    const { parts: others } = await bench.store.use(other, bench.owner, { signal: call.signal });
    bases.push(other);
    ({ parts, derived } = combined(operation.kind, parts, others));
  } else {
    derived = numbered(parts, (part) => {
      const lines = new Lines(part.text);
      return (one) => narrowed(operation, { part, lines, one });
    });
  }
  const grows = operation.kind === "fullLines" || (operation.kind === "between" && operation.take === "lines");
  return answer(bench, operation.kind, { bases, parts, derived, grows });
}

async function handleOf(bench: Workbench, call: Call, input: string): Promise<Handle> {
  const resolved = await resolveInput(bench, call, input);
  if (resolved.as === "resource") throw notEditable(resolved.kind);
  return resolved.as === "handle" ? resolved.handle : (await captureWhole(bench, call, resolved.path)).handle;
}

function isSet(operation: SelectOperation): operation is SetOperation {
  return "with" in operation;
}

function numbered(
  parts: readonly TextPart[],
  deriveIn: (part: TextPart) => (one: Span) => readonly Span[],
): readonly (readonly Derived[])[] {
  let number = 0;
  return parts.map((part) => {
    const derive = deriveIn(part);
    return part.spans.flatMap((one) => {
      const from = [number++];
      return derive(one).map((found) => ({ span: found, from }));
    });
  });
}

/** Matched by file and snapshot, never by the order of lists. */
function combined(
  kind: SetOperation["kind"],
  parts: readonly TextPart[],
  others: readonly TextPart[],
): { readonly parts: readonly TextPart[]; readonly derived: readonly (readonly Derived[])[] } {
  const spansOfOther = (part: TextPart): readonly Span[] =>
    others.filter(({ snapshot }) => snapshot.key === part.snapshot.key).flatMap(({ spans }) => spans);
  if (kind === "join") {
    const alone = others.filter(({ snapshot }) => parts.every((part) => part.snapshot.key !== snapshot.key));
    const all = [...parts, ...alone];
    return {
      parts: all,
      derived: all.map((part) => join(part.spans, spansOfOther(part)).map((one) => ({ span: one, from: [] }))),
    };
  }
  const operations = { inside, overlap, minus };
  const derive = operations[kind];
  return {
    parts,
    derived: numbered(parts, (part) => {
      const cover = merged(spansOfOther(part));
      return (one) => derive([one], near(cover, one));
    }),
  };
}

/** Those of ordered ranges that touch one. */
function near(cover: readonly Span[], { start, end }: Span): readonly Span[] {
  let low = 0;
  let high = cover.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cover[middle] as Span).end < start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while (last < cover.length && (cover[last] as Span).start <= end) last++;
  return cover.slice(low, last);
}

/** One range of the input, and the file that it is of. */
interface Place {
  readonly part: TextPart;
  readonly lines: Lines;
  readonly one: Span;
}

function narrowed(operation: Exclude<SelectOperation, { with: string }>, place: Place): readonly Span[] {
  const { part, lines, one } = place;
  const { text } = part;
  switch (operation.kind) {
    case "span":
      return within(part, one, spanAt(text, operation.from, operation.to));
    case "lines":
      return within(part, one, lines.whole(operation.first, operation.last ?? operation.first));
    case "between":
      return between(operation, place);
    case "cut":
      return [cut(operation, text, one)];
    case "trim":
      return [trim(operation, text, one)];
    case "split":
      return split(operation.at, text, one);
    case "fullLines":
      return [fullLines(lines, one)];
    case "edge":
      return [operation.side === "before" ? span(one.start, one.start) : span(one.end, one.end)];
    case "columns":
      return columns(operation, place);
  }
}

function within(part: TextPart, one: Span, found: Span): readonly Span[] {
  if (areWithin([found], [one])) return [found];
  // Other ranges of the same file may hold it, alone or together: it is then the first of them that gives it.
  if (areWithin([found], part.spans)) {
    const isTouched = ({ start, end }: Span): boolean => start <= found.end && found.start <= end;
    return part.spans.find(isTouched) === one ? [found] : [];
  }
  throw new Refusal("outside_scope", "the result does not cover all of that", "read those lines first");
}

function between(
  { open, close, take = "inner" }: Operation<"between">,
  { part: { text }, lines, one: { start, end } }: Place,
): readonly Span[] {
  const found: Span[] = [];
  let at: number = start;
  for (;;) {
    const opened = text.indexOf(open, at);
    if (opened < 0 || opened + open.length > end) break;
    const from = opened + open.length;
    const closed = text.indexOf(close, from);
    if (closed < 0 || closed + close.length > end) {
      const { line } = lines.at(opened);
      throw new Refusal(
        "unmatched",
        `the marker on line ${line} is never closed`,
        "choose markers that come in pairs, or a smaller range",
      );
    }
    at = closed + close.length;
    const outer = span(opened, at);
    found.push(take === "inner" ? span(from, closed) : take === "outer" ? outer : fullLines(lines, outer));
  }
  return found;
}

function cut({ start: from, end: to }: Operation<"cut">, text: string, { start, end }: Span): Span {
  const found = span(start + from, to === undefined ? end : start + to);
  if (found.start > found.end || found.end > end) {
    throw new Refusal(
      "invalid_range",
      `a range of ${end - start} units has no units ${from} to ${to ?? end - start}`,
      "choose units within the range",
    );
  }
  requireBoundaries(text, found);
  return found;
}

function trim({ side = "both" }: Operation<"trim">, text: string, { start, end }: Span): Span {
  const content = text.slice(start, end);
  const from = side === "end" ? start : start + (content.length - content.trimStart().length);
  const to = side === "start" ? end : end - (content.length - content.trimEnd().length);
  // Of nothing but white space, the place is left.
  return from <= to ? span(from, to) : span(start, start);
}

function split(at: string, text: string, { start, end }: Span): readonly Span[] {
  const pieces: Span[] = [];
  let from: number = start;
  for (;;) {
    const found = text.indexOf(at, from);
    if (found < 0 || found + at.length > end) break;
    pieces.push(span(from, found));
    from = found + at.length;
  }
  pieces.push(span(from, end));
  for (const piece of pieces) requireBoundaries(text, piece);
  return pieces;
}

function fullLines(lines: Lines, { start, end }: Span): Span {
  if (lines.count === 0) return span(0, 0);
  const first = Math.min(lines.at(start).line, lines.count);
  const last = Math.min(Math.max(first, lines.at(Math.max(start, end - 1)).line), lines.count);
  return lines.whole(first, last);
}

function columns({ from, to }: Operation<"columns">, { part: { text }, lines, one }: Place): readonly Span[] {
  if (from > to)
    throw new Refusal("invalid_range", `column ${to} comes before column ${from}`, "give the lower column first");
  if (lines.count === 0) return [];
  const [first, last] = [
    lines.at(one.start).line,
    Math.min(lines.count, lines.at(Math.max(one.start, one.end - 1)).line),
  ];
  const found: Span[] = [];
  for (let line = first; line <= last; line++) {
    const each = span(lines.offset({ line, col: from }), lines.offset({ line, col: to }));
    requireBoundaries(text, each);
    if (!areWithin([each], [one])) {
      throw new Refusal(
        "outside_scope",
        `the result does not cover these columns of line ${line}`,
        "select whole lines first",
      );
    }
    found.push(each);
  }
  return found;
}

interface Selected {
  readonly bases: readonly Handle[];
  readonly parts: readonly TextPart[];
  readonly derived: readonly (readonly Derived[])[];
  readonly grows: boolean;
}

/** What has grown may be edited only where all of it was shown. */
function answer(bench: Workbench, kind: string, { bases, parts, derived, grows }: Selected): Answer {
  const { limits, owner, store } = bench;
  const items: Item[] = [];
  const rows: string[] = [];
  const kept: TextPart[] = [];
  let isWhole = true;
  parts.forEach((part, index) => {
    const found = withoutRepeats(derived[index] ?? []);
    if (found.length === 0) return;
    kept.push({ ...part, spans: spansOf(found, grows) });
    const lines = new Lines(part.text);
    const shown = shownName(part.snapshot.name, owner.root);
    for (const { span: one, from } of found) {
      items.push({ part: kept.length - 1, span: one, ...(from.length === 0 ? {} : { from }) });
      if (items.length > limits.rows) {
        isWhole = false;
        continue;
      }
      const { line, col } = lines.at(one.start);
      const content = part.text.slice(one.start, one.end);
      if (content.length > limits.previewUnits) isWhole = false;
      rows.push(`#${items.length} ${shown}:${line}:${col} | ${preview(content, limits.previewUnits)}`);
    }
  });
  const whole = rows.join("\n");
  const body = beginningOf(whole, limits.viewBytes);
  if (body.length < whole.length) isWhole = false;
  const canEdit = !grows || isWhole;
  return {
    tool: "select",
    kind: "selection",
    facts: {
      operation: kind,
      items: items.length,
      ...(rows.length < items.length ? { shown: rows.length } : {}),
      ...(canEdit ? {} : { edit: "no: it has grown to more than is shown; read it" }),
    },
    body: items.length === 0 ? "nothing is selected" : body,
    record: { kind, items: items.length, grown: grows },
    handle: canEdit ? store.derive(bases, kept, { grows, items }) : undefined,
  };
}

/** Ranges that grew into one another are one; others stay as they are, touching or not. */
function spansOf(found: readonly Derived[], grows: boolean): readonly Span[] {
  const spans = found.map((one) => one.span);
  return grows ? merged(spans) : spans;
}

function withoutRepeats(found: readonly Derived[]): readonly Derived[] {
  const seen = new Map<string, { readonly span: Span; readonly from: number[] }>();
  for (const { span: one, from } of found) {
    const place = `${one.start}-${one.end}`;
    const before = seen.get(place);
    if (before === undefined) seen.set(place, { span: one, from: [...from] });
    else before.from.push(...from);
  }
  return [...seen.values()];
}
