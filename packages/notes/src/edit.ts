import { quote } from "@notesoup/text";
import { NoteError } from "./error.ts";
import { type LineEnd, toLf, type UniformLines, uniformLines } from "./line-ends.ts";
import { occurrences, withoutOverlap } from "./occurrences.ts";
import { shownAddress } from "./system-error.ts";

/** One replacement in a body. Both texts are literal: no character means anything but itself. */
export interface NoteEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** A body after its edits. */
export interface EditedBody {
  readonly body: string;
  /** Replacements that were made. */
  readonly applied: number;
}

/** How many bytes of line numbers a message holds. */
const LINES_SHOWN_BYTES = 2048;
/**
 * What a body may grow to between two edits, in UTF-16 units, far more than a note may hold in the
 * end: what many replacements would make of it is never built.
 */
const EVOLVING_MAX_UNITS = 8 * 1024 * 1024;

/**
 * Applies edits in order, each to what the one before it left. `oldText` must match once,
 * overlapping matches counted; with `replaceAll` every match is replaced, left to right, without
 * overlap. Line ends are matched as line ends, LF or CRLF alike: an inserted one takes the form of
 * the one that it replaces, one by one, further ones that of the last; where none is replaced, that
 * of the line it is inserted in.
 *
 * @throws NoteError `invalid_text`, `empty_edit`, `no_match`, `ambiguous_match` (with
 * `lineNumbers`), `too_large`, each with `editIndex`
 */
export function applyEdits(body: string, edits: readonly NoteEdit[], replaceAll: boolean, address: string): EditedBody {
  let edited = body;
  let applied = 0;
  for (const [editIndex, edit] of edits.entries()) {
    checkEdit(edit, editIndex, address);
    const lines = uniformLines(edited);
    const oldText = toLf(edit.oldText);
    const all = occurrences(lines.text, oldText);
    if (all.length === 0) throw noMatch(edit, editIndex, address);
    if (all.length > 1 && !replaceAll) throw ambiguous(lineNumbersOf(lines.text, all), editIndex, address);
    const starts = withoutOverlap(all, oldText.length);
    if (edited.length + starts.length * edit.newText.length > EVOLVING_MAX_UNITS) throw tooLarge(editIndex, address);
    edited = replaceAt(edited, lines, starts, oldText.length, edit.newText);
    applied += starts.length;
  }
  return { body: edited, applied };
}

/** Refuses what no edit can be, before the note is looked at. */
function checkEdit({ oldText, newText }: NoteEdit, editIndex: number, address: string): void {
  for (const [name, text] of [
    ["the text to replace", oldText],
    ["the new text", newText],
  ] as const) {
    if (typeof text !== "string" || !text.isWellFormed()) {
      throw new NoteError(
        "invalid_text",
        `${name} in edit ${editIndex} of ${shownAddress(address)} is not well-formed text; write every character whole`,
        { address, editIndex },
      );
    }
  }
  if (oldText === "")
    throw new NoteError(
      "empty_edit",
      `the text to replace in edit ${editIndex} of ${shownAddress(address)} is empty; name it, or write the note whole`,
      { address, editIndex },
    );
}

/** Puts `newText` at ascending places of the uniform text, `length` units each, that do not overlap. */
function replaceAt(
  original: string,
  lines: UniformLines,
  starts: readonly number[],
  length: number,
  newText: string,
): string {
  const lineEndsFor = newText.includes("\n") ? lineEndsInOrder(lines) : () => [];
  const parts: string[] = [];
  let from = 0;
  for (const start of starts) {
    parts.push(
      original.slice(from, lines.toOriginal(start)),
      withLineEnds(newText, lineEndsFor(start, start + length)),
    );
    from = lines.toOriginal(start + length);
  }
  parts.push(original.slice(from));
  return parts.join("");
}

/**
 * Asked for stretches from left to right: the line ends in a stretch; where there are none, that of
 * its line, or, where its line is the last and has none, the last one before it. Goes through the
 * text once.
 */
function lineEndsInOrder(lines: UniformLines): (start: number, end: number) => readonly LineEnd[] {
  let next = lines.text.indexOf("\n");
  let last: LineEnd | undefined;
  return (start, end) => {
    const ends: LineEnd[] = [];
    for (; next !== -1 && next < end; next = lines.text.indexOf("\n", next + 1)) {
      last = lines.lineEndAt(next);
      if (next >= start) ends.push(last);
    }
    if (ends.length > 0) return ends;
    const own = next === -1 ? last : lines.lineEndAt(next);
    return own === undefined ? [] : [own];
  };
}

/** The text with its line ends written as given, the last for all that remain; with its own where none are given. */
function withLineEnds(text: string, ends: readonly LineEnd[]): string {
  let index = 0;
  return text.replace(/\r?\n/gu, (own) => ends[index++] ?? ends.at(-1) ?? own);
}

/** The lines, counted from one, on which matches begin. */
function lineNumbersOf(text: string, starts: readonly number[]): number[] {
  const numbers: number[] = [];
  let line = 1;
  let next = text.indexOf("\n");
  for (const start of starts) {
    for (; next !== -1 && next < start; next = text.indexOf("\n", next + 1)) line++;
    if (numbers.at(-1) !== line) numbers.push(line);
  }
  return numbers;
}

function noMatch({ oldText }: NoteEdit, editIndex: number, address: string): NoteError {
  const message = `edit ${editIndex} of ${shownAddress(address)} matches nothing: ${quote(oldText)} is not in the body; read the note and copy the text as it stands`;
  return new NoteError("no_match", message, { address, editIndex });
}

function tooLarge(editIndex: number, address: string): NoteError {
  const message = `edit ${editIndex} of ${shownAddress(address)} would make the note far too large; replace less, or with less`;
  return new NoteError("too_large", message, { address, editIndex });
}

function ambiguous(lineNumbers: readonly number[], editIndex: number, address: string): NoteError {
  const message = `edit ${editIndex} of ${shownAddress(address)} matches more than once, on ${shownLines(lineNumbers)}; give more of the text around it, or ask for every match to be replaced`;
  return new NoteError("ambiguous_match", message, { address, editIndex, lineNumbers });
}

function shownLines(lineNumbers: readonly number[]): string {
  let shown = "";
  for (const [index, line] of lineNumbers.entries()) {
    const next = `${shown}${index === 0 ? "" : ", "}${line}`;
    if (next.length > LINES_SHOWN_BYTES) return `lines ${shown}, … of ${lineNumbers.length}`;
    shown = next;
  }
  return `${lineNumbers.length === 1 ? "line" : "lines"} ${shown}`;
}
