import { resolve } from "node:path";
import {
  areWithin,
  encode,
  type Handle,
  type Item,
  Lines,
  Refusal,
  shownName,
  span,
  type Span,
  type TextPart,
} from "@notesoup/ide-registry";
import type { Answer } from "../answer.ts";
import type { Call } from "../call.ts";
import { occurrences } from "../exact-text.ts";
import { captureWhole, notEditable, resolveInput } from "../inputs.ts";
import { ripgrepFiles, type RipgrepMatch, ripgrepMatches } from "../ripgrep.ts";
import type { IdeArguments } from "../schemas.ts";
import { beginningOf, preview } from "../shown-text.ts";
import type { Workbench } from "../workbench.ts";

type Arguments = IdeArguments<"search">;

/** Where hits are, file for file, and whether they are all. */
interface Found {
  readonly parts: readonly TextPart[];
  readonly complete: boolean;
  /** Files with hits that have no text to edit. */
  readonly skipped: number;
}

/** Finds text in a folder, a file or an earlier result. */
export async function search(bench: Workbench, args: Arguments, call: Call): Promise<Answer> {
  await call.scope.boundary();
  const { mode, pattern } = queryOf(args.query);
  if (pattern === "") throw new Refusal("empty_query", "there is nothing to search for", "give a text");
  if (!pattern.isWellFormed())
    throw new Refusal("ill_formed_text", "the query holds half a character", "give it with whole characters");
  if (mode === "ast") {
    throw new Refusal("engine_missing", "no engine for patterns of syntax is there", "search for text, or with re:");
  }
  const where = await resolveInput(bench, call, args.path ?? ".");
  if (where.as === "handle") {
    if (mode === "files") throw new Refusal("wrong_kind", "files are looked for in a folder", "pass a folder");
    requireNoGlobs(args);
    const { parts, complete } = await bench.store.use(where.handle, bench.owner, { signal: call.signal });
    const found = mode === "text" ? literalIn(bench, parts, pattern) : await regexIn(bench, call, parts, pattern);
    return answer(bench, { ...found, complete: found.complete && complete }, [where.handle]);
  }
  if (where.as === "resource" && where.kind !== "folder") throw notEditable(where.kind);
  const { key, exists, name } = await bench.store.locate(where.path, call.cwd);
  const shown = shownName(name, bench.owner.root);
  const mark = exists ? await bench.disk.mark(key) : "missing";
  if (mark === "missing") throw new Refusal("not_found", `there is no ${shown}`, "give a folder that exists");
  if (mark.kind === "directory") {
    return mode === "files"
      ? filesIn(bench, call, args, { name, shown, glob: pattern })
      : searchFolder(bench, call, args, { name, mode, pattern });
  }
  if (mode === "files") throw new Refusal("wrong_kind", `${shown} is a file`, "look for files in a folder");
  requireNoGlobs(args);
  const { handle, part } = await captureWhole(bench, call, where.path);
  const found = mode === "text" ? literalIn(bench, [part], pattern) : await regexIn(bench, call, [part], pattern);
  return answer(bench, found, [handle]);
}

function queryOf(query: string): { readonly mode: "text" | "re" | "files" | "ast"; readonly pattern: string } {
  for (const mode of ["re", "files", "ast"] as const) {
    if (query.startsWith(`${mode}:`)) return { mode, pattern: query.slice(mode.length + 1) };
  }
  return { mode: "text", pattern: query };
}

function requireNoGlobs({ include, exclude }: Arguments): void {
  if (include === undefined && exclude === undefined) return;
  throw new Refusal("wrong_kind", "include and exclude choose files of a folder", "leave them out, or pass a folder");
}

function literalIn(bench: Workbench, parts: readonly TextPart[], text: string): Found {
  let left = bench.limits.hits;
  let complete = true;
  const found = parts.map((part): TextPart => {
    const spans = withoutOverlaps(occurrences(part, text));
    if (spans.length > left) complete = false;
    const kept = spans.slice(0, left);
    left -= kept.length;
    return { ...part, spans: kept };
  });
  return { parts: found.filter(({ spans }) => spans.length > 0), complete, skipped: 0 };
}

function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const one of spans) if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  return kept;
}

async function regexIn(bench: Workbench, call: Call, parts: readonly TextPart[], pattern: string): Promise<Found> {
  if (parts.length === 0) return { parts, complete: true, skipped: 0 };
  const paths = parts.map(({ snapshot }) => snapshot.key);
  const { matches, complete } = await matchesOf(bench, call, {
    cwd: bench.owner.root,
    args: [...regexArgs(pattern), "--", ...paths],
  });
  const byPath = Map.groupBy(matches, ({ path }) => path);
  let isWhole = complete;
  const found = parts.flatMap((part): readonly TextPart[] => {
    const located = located16(part, byPath.get(part.snapshot.key) ?? []);
    if (located === undefined) isWhole = false;
    const spans = (located ?? []).filter((one) => areWithin([one], part.spans));
    return spans.length === 0 ? [] : [{ ...part, spans }];
  });
  return { parts: found, complete: isWhole, skipped: 0 };
}

function regexArgs(pattern: string): readonly string[] {
  return [...(pattern.includes(String.raw`\n`) ? ["--multiline"] : []), "--regexp", pattern];
}

function literalArgs(text: string): readonly string[] {
  if (!text.includes("\n")) return ["--fixed-strings", "--regexp", text];
  // However the file ends its lines.
  const escaped = text.replaceAll(/[$()*+.?[\\\]^{|}#&~-]/gu, String.raw`\$&`);
  return ["--multiline", "--regexp", escaped.replaceAll(/\r?\n/gu, String.raw`\r?\n`)];
}

function matchesOf(
  { limits }: Workbench,
  { signal }: Call,
  { cwd, args }: { readonly cwd: string; readonly args: readonly string[] },
): ReturnType<typeof ripgrepMatches> {
  return ripgrepMatches(args, { cwd, signal, maxMs: limits.searchMs, maxMatches: limits.hits });
}

async function searchFolder(
  bench: Workbench,
  call: Call,
  args: Arguments,
  { name, mode, pattern }: { readonly name: string; readonly mode: "text" | "re"; readonly pattern: string },
): Promise<Answer> {
  const what = mode === "text" ? literalArgs(pattern) : regexArgs(pattern);
  const { matches, complete } = await matchesOf(bench, call, {
    cwd: name,
    args: [...what, ...globArgs(args), "--", "."],
  });
  const byPath = [...Map.groupBy(matches, ({ path }) => path)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const parts: TextPart[] = [];
  const bases: Handle[] = [];
  let isWhole = complete;
  let skipped = 0;
  for (const [path, inFile] of byPath) {
    const located = await locatedIn(bench, call, resolve(name, path), inFile);
    if (located === "no text") skipped++;
    else if (located === "changed") isWhole = false;
    else {
      parts.push(located.part);
      bases.push(located.handle);
    }
  }
  return answer(bench, { parts, complete: isWhole && skipped === 0, skipped }, bases);
}

async function locatedIn(
  bench: Workbench,
  call: Call,
  path: string,
  matches: readonly RipgrepMatch[],
): Promise<{ readonly handle: Handle; readonly part: TextPart } | "changed" | "no text"> {
  try {
    const { handle, part } = await captureWhole(bench, call, path);
    const spans = located16(part, matches);
    return spans === undefined ? "changed" : { handle, part: { ...part, spans } };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === "cancelled") throw error;
    return error.code === "not_utf8" || error.code === "binary" || error.code === "too_large" ? "no text" : "changed";
  }
}

/** From offsets in bytes to ranges of UTF-16 units; nothing where the bytes there are not those that matched: the file changed in between. */
function located16({ text, snapshot }: TextPart, matches: readonly RipgrepMatch[]): readonly Span[] | undefined {
  const bytes = Buffer.from(encode(text, false));
  const shift = snapshot.bom ? 3 : 0;
  const isAscii = bytes.length === text.length;
  const spans: Span[] = [];
  let [atByte, atUnit] = [0, 0];
  for (const match of matches.toSorted((one, other) => one.start - other.start)) {
    // A match may begin with the byte order mark, which is none of the text.
    const start = Math.max(0, match.start - shift);
    const end = match.start - shift + match.bytes.length;
    const seen = match.start < shift ? match.bytes.subarray(shift - match.start) : match.bytes;
    if (!bytes.subarray(start, end).equals(seen)) return undefined;
    if (start < atByte) continue;
    atUnit = isAscii ? start : atUnit + bytes.toString("utf8", atByte, start).length;
    const length = isAscii ? end - start : bytes.toString("utf8", start, end).length;
    spans.push(span(atUnit, atUnit + length));
    [atByte, atUnit] = [end, atUnit + length];
  }
  return spans;
}

function globArgs({ include = [], exclude = [] }: Arguments): readonly string[] {
  return [...include.flatMap((glob) => ["--glob", glob]), ...exclude.flatMap((glob) => ["--glob", `!${glob}`])];
}

async function filesIn(
  bench: Workbench,
  call: Call,
  args: Arguments,
  { name, shown, glob }: { readonly name: string; readonly shown: string; readonly glob: string },
): Promise<Answer> {
  const { limits } = bench;
  const { files, complete } = await ripgrepFiles(["--glob", glob, ...globArgs(args)], {
    cwd: name,
    signal: call.signal,
    maxMs: limits.searchMs,
    maxFiles: limits.hits,
  });
  const rows = files
    .toSorted()
    .slice(0, limits.rows)
    .map((path, index) => `#${index + 1} ${shownName(resolve(name, path), bench.owner.root)}`);
  return {
    tool: "search",
    kind: "folder",
    facts: { files: files.length, in: shown, complete: complete ? "yes" : "no" },
    body: files.length === 0 ? "no file" : beginningOf(rows.join("\n"), limits.viewBytes),
    record: { hits: files.length, files: files.length, complete },
    resource: name,
  };
}

/** Every hit is held; the first are shown. */
function answer(bench: Workbench, { parts, complete, skipped }: Found, bases: readonly Handle[]): Answer {
  const { limits, owner, store } = bench;
  const items: Item[] = [];
  const rows: string[] = [];
  parts.forEach((part, index) => {
    const lines = rows.length < limits.rows ? new Lines(part.text) : undefined;
    const shown = shownName(part.snapshot.name, owner.root);
    for (const one of part.spans) {
      items.push({ part: index, span: one });
      if (lines !== undefined && rows.length < limits.rows)
        rows.push(row(part, lines, one, { number: items.length, shown, limits }));
    }
  });
  const body = beginningOf(rows.join("\n"), limits.viewBytes);
  const options = { items, complete };
  return {
    tool: "search",
    kind: "hits",
    facts: {
      hits: items.length,
      files: parts.length,
      ...(rows.length < items.length ? { shown: rows.length } : {}),
      complete: complete ? "yes" : "no",
      ...(skipped === 0 ? {} : { skipped }),
    },
    body: items.length === 0 ? "no hit" : body,
    record: { hits: items.length, files: parts.length, complete },
    handle: bases.length === 1 && complete ? store.derive(bases, parts, { items }) : store.hold(owner, parts, options),
  };
}

function row(
  { text }: TextPart,
  lines: Lines,
  one: Span,
  { number, shown, limits }: { readonly number: number; readonly shown: string; readonly limits: Workbench["limits"] },
): string {
  const { line, col } = lines.at(one.start);
  const to = lines.at(one.end);
  const place = line === to.line ? `${line}:${col}-${to.col}` : `${line}:${col}-${to.line}:${to.col}`;
  const content = line > lines.count ? span(one.start, one.end) : lines.content(line, line);
  // Of a long line, what is around the hit.
  const start = Math.max(
    content.start,
    content.end - content.start > limits.previewUnits ? one.start - 100 : content.start,
  );
  const shownText = text.slice(start, Math.max(content.end, start)).replace(/^[\udc00-\udfff]/u, "");
  return `#${number} ${shown}:${place} | ${preview(shownText, limits.previewUnits)}`;
}
