import {
  type Handle,
  labelLine,
  Lines,
  Refusal,
  requireBoundaries,
  span,
  type Span,
  type TextPart,
} from "@notesoup/ide-registry";
import { type Call, forEdit } from "./call.ts";
import { captureForEdit, type Input } from "./inputs.ts";
import { preview } from "./shown-text.ts";
import type { Workbench } from "./workbench.ts";

/** How many lines a refusal offers. */
const LINES_SHOWN = 10;

/**
 * The one place of a text in a file, or in the ranges of a reference. A miss blocks further looking in that file
 * until an edit by reference has succeeded there: what the caller believes of the file is not so.
 */
export async function findOnce(
  bench: Workbench,
  call: Call,
  where: Exclude<Input, { as: "resource" }>,
  find: string,
): Promise<Handle> {
  if (!find.isWellFormed()) {
    throw new Refusal("ill_formed_text", "the text to find holds half a character", "give it with whole characters");
  }
  let { base, part } = await singlePart(bench, call, where);
  const { key } = part.snapshot;
  if (bench.blocked.has(key)) {
    // An edit by reference may wait to be saved.
    await call.scope.boundary();
    ({ base, part } = await singlePart(bench, call, where));
  }
  if (bench.blocked.has(key)) {
    throw withLines(bench, part, [], "exact_text_blocked", "a text was not found in this file before");
  }
  const places = occurrences(part, find);
  const [place] = places;
  if (place === undefined || places.length > 1) {
    bench.blocked.add(key);
    throw place === undefined
      ? withLines(bench, part, similarLines(part.text, find), "text_not_found", "the text to find is not there")
      : withLines(
          bench,
          part,
          places.map(({ start }) => start),
          "text_ambiguous",
          `the text to find is there ${places.length} times`,
        );
  }
  requireBoundaries(part.text, place);
  return bench.store.derive([base], [{ ...part, spans: [place] }]);
}

async function singlePart(
  bench: Workbench,
  call: Call,
  where: Exclude<Input, { as: "resource" }>,
): Promise<{ base: Handle; part: TextPart }> {
  if (where.as === "path") {
    const { handle, part } = await captureForEdit(bench, call, where.path);
    return { base: handle, part };
  }
  const { parts } = await bench.store.use(where.handle, bench.owner, forEdit(call));
  const [part] = parts;
  if (part === undefined || parts.length > 1) {
    throw new Refusal(
      "invalid_range",
      "the result has several files, or none",
      "find the text in one item of it, such as UUID#1",
    );
  }
  return { base: where.handle, part };
}

/** Every place of a text within the ranges, also where places share units. A line end that is looked for is found however the file writes it. */
export function occurrences({ text, spans }: TextPart, find: string): readonly Span[] {
  const pattern = new RegExp(
    find.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`).replaceAll(/(?<!\r)\n/gu, String.raw`\r?\n`),
    "gu",
  );
  const places: Span[] = [];
  for (const { start, end } of spans) {
    pattern.lastIndex = start;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const found = span(match.index, match.index + match[0].length);
      if (found.end > end) break;
      places.push(found);
      pattern.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
    }
  }
  return places;
}

/** Where lines begin that hold a line of what was looked for, in any case: shown, never edited. */
function similarLines(text: string, find: string): readonly number[] {
  const wanted = find
    .split(/\r\n|\n|\r/u)
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== "");
  const lines = new Lines(text);
  const found: number[] = [];
  for (let line = 1; line <= lines.count && found.length < LINES_SHOWN; line++) {
    const { start, end } = lines.content(line, line);
    const content = text.slice(start, end).trim().toLowerCase();
    if (content !== "" && wanted.some((one) => content.includes(one) || (content.length >= 3 && one.includes(content))))
      found.push(start);
  }
  return found;
}

/** A refusal that offers lines as they are now, each with the reference by which it can be edited. */
function withLines(
  bench: Workbench,
  part: TextPart,
  offsets: readonly number[],
  code: "text_not_found" | "text_ambiguous" | "exact_text_blocked",
  what: string,
): Refusal {
  const { snapshot, text } = part;
  const whole = bench.store.hold(bench.owner, [{ snapshot, text, spans: [span(0, text.length)] }], { complete: true });
  const lines = new Lines(text);
  const numbers = [...new Set(offsets.map((offset) => lines.at(offset).line))].slice(0, LINES_SHOWN);
  const shown =
    numbers.length > 0 ? numbers : Array.from({ length: Math.min(lines.count, LINES_SHOWN) }, (_, index) => index + 1);
  const rows = shown.map((line) => {
    const { start, end } = lines.content(line, line);
    return `@${line} | ${preview(text.slice(start, end), 200)}`;
  });
  const { id } = bench.results.issue({
    owner: bench.owner,
    kind: "lines",
    body: rows.join("\n"),
    ok: true,
    handle: whole,
    label: (one) => labelLine(one, { tool: "lines" }),
  });
  const example = shown.length === 0 ? id : `${id}@${shown[0]}`;
  return new Refusal(code, what, `edit by reference next, such as ${example}`, {
    detail: { reference: id, lines: rows },
  });
}
