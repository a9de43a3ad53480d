import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import {
  decode,
  type Handle,
  Lines,
  onOneLine,
  Refusal,
  shownName,
  span,
  type Span,
  type TextPart,
} from "@notesoup/ide-registry";
import type { Answer } from "../answer.ts";
import type { Call } from "../call.ts";
import { imageMime } from "../file-kind.ts";
import { resolveInput } from "../inputs.ts";
import type { IdeArguments } from "../schemas.ts";
import { beginningOf } from "../shown-text.ts";
import type { Workbench } from "../workbench.ts";

type Arguments = IdeArguments<"read">;

/** Reads a file, an image, a folder, or what an earlier result names. */
export async function read(bench: Workbench, args: Arguments, call: Call): Promise<Answer> {
  await call.scope.boundary();
  const input = await resolveInput(bench, call, args.path);
  if (input.as === "handle") return readReference(bench, args, call, input.handle);
  const { name, key, exists } = await bench.store.locate(input.path, call.cwd);
  const shown = shownName(name, bench.owner.root);
  const mark = exists ? await bench.disk.mark(key) : "missing";
  if (mark === "missing") throw new Refusal("not_found", `there is no ${shown}`, "look for it with search");
  if (mark.kind === "directory") return listing(bench, args, name, shown);
  if (mark.kind === "other") throw new Refusal("wrong_kind", `${shown} is neither a file nor a folder`, "name a file");
  if (args.view === "bytes") return rowsOfBytes(bench, args, name, shown);
  try {
    const { snapshot, text } = await bench.store.capture(input.path, call.cwd, bench.owner, call.signal);
    const part: TextPart = { snapshot, text, spans: [span(0, text.length)] };
    return readText(bench, args, part, (window) =>
      bench.store.hold(bench.owner, [{ ...part, spans: [window] }], { complete: true }),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "too_large") return readLarge(bench, args, name, shown);
    if (error.code === "not_utf8" || error.code === "binary") return readOther(bench, args, { name, shown, error });
    throw error;
  }
}

async function readReference(bench: Workbench, args: Arguments, call: Call, base: Handle): Promise<Answer> {
  const { parts } = await bench.store.use(base, bench.owner, { signal: call.signal });
  const [part] = parts;
  if (part === undefined || parts.length > 1) {
    throw new Refusal("invalid_range", "the result has several files, or none", "read one item of it, such as UUID#1");
  }
  if (args.view === "bytes") {
    return rowsOfBytes(bench, args, part.snapshot.name, shownName(part.snapshot.name, bench.owner.root));
  }
  const lines = new Lines(part.text);
  const [first, last] = [part.spans[0], part.spans.at(-1)];
  const around =
    first === undefined || last === undefined || lines.count === 0
      ? args
      : aroundLines(
          args,
          Math.min(lines.at(first.start).line, lines.count),
          lines.at(Math.max(last.end - 1, last.start)).line,
        );
  // What is shown around the ranges may be read, not edited.
  return readText(bench, around, part, (window) =>
    bench.store.derive([base], [{ ...part, spans: part.spans.flatMap((one) => common(one, window)) }]),
  );
}

function aroundLines(args: Arguments, first: number, last: number): Arguments {
  const offset = args.offset ?? first;
  return { ...args, offset, limit: args.limit ?? Math.max(1, last - Math.max(offset, 1) + 1) };
}

function common(one: Span, window: Span): readonly Span[] {
  const [start, end] = [Math.max(one.start, window.start), Math.min(one.end, window.end)];
  return start <= end && (start < end || one.start === one.end) ? [span(start, end)] : [];
}

interface LineWindow {
  readonly first: number;
  readonly last: number;
  readonly span: Span;
}

function windowOf(lines: Lines, { offset, limit }: Arguments, length: number): LineWindow {
  if (offset === undefined && limit === undefined) return { first: 1, last: lines.count, span: span(0, length) };
  const from = offset ?? 1;
  const first = from < 0 ? Math.max(1, lines.count + from + 1) : Math.max(1, from);
  if (lines.count === 0 && first === 1) return { first: 1, last: 0, span: span(0, 0) };
  if (first > lines.count) {
    throw new Refusal(
      "invalid_range",
      `line ${first} is past the end: there are ${lines.count}`,
      "choose an earlier offset",
    );
  }
  const last = limit === undefined ? lines.count : Math.min(lines.count, first + limit - 1);
  return { first, last, span: lines.whole(first, last) };
}

/** The window that was asked for is held whole; what is shown of it may be less. */
function readText(bench: Workbench, args: Arguments, part: TextPart, hold: (window: Span) => Handle): Answer {
  const { text, snapshot } = part;
  const shown = shownName(snapshot.name, bench.owner.root);
  const lines = new Lines(text);
  const window = windowOf(lines, args, text.length);
  const { body, lastShown, isCut } = shownWindow(bench, lines, text, window, args.view === "lines");
  const next = lastShown < lines.count ? lastShown + 1 : undefined;
  return {
    tool: "read",
    kind: "text",
    facts: {
      src: shown,
      lines: `${window.first}-${lastShown}/${lines.count}`,
      ...(next === undefined ? {} : { next }),
      ...(isCut ? { cut: "yes", holds: `${window.first}-${window.last}` } : {}),
      eol: snapshot.eol,
      ...(snapshot.bom ? { bom: "yes" } : {}),
    },
    body,
    record: { form: args.view === "lines" ? "lines" : "text", path: shown },
    handle: hold(window.span),
  };
}

function shownWindow(
  { limits }: Workbench,
  lines: Lines,
  text: string,
  { first, last }: LineWindow,
  isNumbered: boolean,
): { readonly body: string; readonly lastShown: number; readonly isCut: boolean } {
  const pieces: string[] = [];
  let bytes = 0;
  for (let line = first; line <= last; line++) {
    const { start, end } = lines.whole(line, line);
    const piece = isNumbered ? `${line} | ${text.slice(start, end)}` : text.slice(start, end);
    bytes += Buffer.byteLength(piece);
    if (line - first >= limits.viewLines || bytes > limits.viewBytes) {
      // A line that is too long for a view by itself is shown as far as it goes.
      if (line === first) return { body: beginningOf(piece, limits.viewBytes), lastShown: first, isCut: true };
      return { body: pieces.join(""), lastShown: line - 1, isCut: true };
    }
    pieces.push(piece);
  }
  return { body: pieces.join(""), lastShown: last, isCut: false };
}

async function listing(bench: Workbench, args: Arguments, name: string, shown: string): Promise<Answer> {
  const entries = await readdir(name, { withFileTypes: true });
  const rows = entries
    .map((entry) => `${entry.name}${entry.isDirectory() ? "/" : entry.isSymbolicLink() ? "@" : ""}`)
    .toSorted()
    .map(onOneLine);
  const { first, last } = rowWindow(args, rows.length, bench.limits.viewLines);
  const body = beginningOf(rows.slice(first - 1, last).join("\n"), bench.limits.viewBytes);
  return {
    tool: "read",
    kind: "folder",
    facts: { src: shown, entries: rows.length, ...(last < rows.length ? { next: last + 1 } : {}) },
    body,
    record: { form: "folder", path: shown },
    resource: name,
  };
}

function rowWindow({ offset = 1, limit }: Arguments, count: number, most: number): { first: number; last: number } {
  const first = offset < 0 ? Math.max(1, count + offset + 1) : Math.max(1, offset);
  if (first > Math.max(1, count)) {
    throw new Refusal("invalid_range", `row ${first} is past the end: there are ${count}`, "choose an earlier offset");
  }
  return { first, last: Math.min(count, first + Math.min(limit ?? most, most) - 1) };
}

const ROW_BYTES = 16;

async function rowsOfBytes(bench: Workbench, args: Arguments, name: string, shown: string): Promise<Answer> {
  const mark = await bench.disk.mark(name);
  const size = mark === "missing" ? 0 : mark.size;
  const rows = Math.ceil(size / ROW_BYTES);
  // A row is 78 characters.
  const { first, last } = rowWindow(args, rows, Math.floor(bench.limits.viewBytes / 80));
  const start = (first - 1) * ROW_BYTES;
  const bytes = last < first ? Buffer.alloc(0) : await bytesOf(name, start, Math.min(size, last * ROW_BYTES) - 1);
  const body = Array.from({ length: Math.ceil(bytes.length / ROW_BYTES) }, (_, row) => {
    const slice = bytes.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES);
    const hex = slice.toString("hex").replaceAll(/..(?=.)/gu, "$& ");
    const readable = slice.toString("latin1").replaceAll(/[^ -~]/gu, ".");
    return `${(start + row * ROW_BYTES).toString(16).padStart(8, "0")}  ${hex.padEnd(ROW_BYTES * 3 - 1)}  ${readable}`;
  }).join("\n");
  return {
    tool: "read",
    kind: "bytes",
    facts: {
      src: shown,
      view: "bytes",
      bytes: size,
      rows: `${first}-${last}/${rows}`,
      ...(last < rows ? { next: last + 1 } : {}),
    },
    body,
    record: { form: "bytes", path: shown },
    resource: name,
  };
}

async function bytesOf(name: string, start: number, end: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(name, { start, end })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readOther(
  bench: Workbench,
  args: Arguments,
  { name, shown, error }: { readonly name: string; readonly shown: string; readonly error: Refusal },
): Promise<Answer> {
  const { key } = await bench.store.locate(name, "/");
  const bytes = await bench.disk.read(key);
  const mime = imageMime(bytes);
  if (mime !== undefined) return image(args, { bytes, mime, name, shown });
  if (error.code === "binary") throw error;
  const decoded = decode(Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)));
  if (decoded instanceof Refusal) throw decoded;
  const lines = new Lines(decoded.text);
  const window = windowOf(lines, args, decoded.text.length);
  const { body, lastShown, isCut } = shownWindow(bench, lines, decoded.text, window, args.view === "lines");
  return {
    tool: "read",
    kind: "not-utf8",
    facts: {
      src: shown,
      lines: `${window.first}-${lastShown}/${lines.count}`,
      ...(lastShown < lines.count ? { next: lastShown + 1 } : {}),
      ...(isCut ? { cut: "yes" } : {}),
      encoding: "not UTF-8: what is no character is shown as U+FFFD, and nothing can be edited",
    },
    body,
    record: { form: "text", path: shown },
    resource: name,
  };
}

function image(
  { offset, limit }: Arguments,
  {
    bytes,
    mime,
    name,
    shown,
  }: { readonly bytes: Uint8Array; readonly mime: string; readonly name: string; readonly shown: string },
): Answer {
  if (offset !== undefined || limit !== undefined) {
    throw new Refusal("invalid_range", `${shown} is an image, and has no lines`, "read it without offset and limit");
  }
  return {
    tool: "read",
    kind: "image",
    facts: { src: shown, mime, bytes: bytes.length },
    body: `image ${shown} (${mime}, ${bytes.length} bytes)`,
    record: { form: "image", path: shown, mime },
    resource: name,
    images: [{ mime, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64") }],
  };
}

/** A window of a file that is too large to be edited: read as a stream, up to where the window ends. Lines end in LF here. */
async function readLarge(bench: Workbench, args: Arguments, name: string, shown: string): Promise<Answer> {
  const first = args.offset ?? 1;
  if (first < 1) {
    throw new Refusal("invalid_range", `${shown} is too large to count from its end`, "give an offset from the start");
  }
  const last = first + Math.min(args.limit ?? bench.limits.viewLines, bench.limits.viewLines) - 1;
  const stream = createReadStream(name);
  const decoder = new TextDecoder("utf-8");
  let line = 1;
  let body = "";
  let isCut = false;
  for await (const chunk of stream) {
    const text = decoder.decode(chunk as Buffer, { stream: true });
    for (let at = 0; at < text.length && line <= last;) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline + 1;
      if (line >= first) body += text.slice(at, end);
      if (newline >= 0) line++;
      at = end;
    }
    isCut = body.length > bench.limits.viewBytes;
    if (line > last || isCut) break;
  }
  stream.destroy();
  if (body === "") throw new Refusal("invalid_range", `line ${first} is past the end`, "choose an earlier offset");
  const seen = beginningOf(body, bench.limits.viewBytes);
  isCut ||= seen.length < body.length;
  const lines = new Lines(seen).count;
  return {
    tool: "read",
    kind: "large",
    facts: {
      src: shown,
      lines: `${first}-${first + lines - 1}`,
      ...(line > last || isCut ? { next: first + lines - (isCut && lines > 1 ? 1 : 0) } : {}),
      ...(isCut ? { cut: "yes" } : {}),
      edit: "no: the file is too large",
    },
    body: seen,
    record: { form: "text", path: shown },
    resource: name,
  };
}
