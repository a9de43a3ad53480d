import { NoteError } from "./error.ts";
import { shownValue } from "./given.ts";
import { type LineEnd, toLf, type UniformLines, uniformLines, withLineEnd } from "./line-ends.ts";
import { occurrences, withoutOverlap } from "./occurrences.ts";
import { type Slices, STEPS_A_LOOK } from "./slices.ts";
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
 * What a body may grow to between two edits, in UTF-16 units: twice what a note may hold in the
 * end, for an edit that cuts down what the one before it made longer. What many replacements would
 * make beyond that is never built.
 */
const EVOLVING_MAX_UNITS = 2 * 1_048_576;

/**
 * Applies edits in order, each to what the one before it left. `oldText` must match once,
 * overlapping matches counted; with `replaceAll` every match is replaced, left to right, without
 * overlap. Line ends are matched as line ends, LF or CRLF alike: an inserted one takes the form of
 * the one that it replaces, one by one, further ones that of the last; where none is replaced, that
 * of the line it is inserted in. Done in slices, whatever the edits are and however many.
 *
 * @throws NoteError `invalid_text`, `empty_edit`, `no_match`, `ambiguous_match` (with
 * `lineNumbers`), `too_large`, each with `editIndex`
 */
export async function applyEdits(
  body: string,
  edits: readonly NoteEdit[],
  replaceAll: boolean,
  address: string,
  slices: Slices,
): Promise<EditedBody> {
  let edited = body;
  let applied = 0;
  for (const [editIndex, edit] of edits.entries()) {
    if (slices.isOver) await slices.next();
    // In this order: how long a text is, is known without looking through it.
    if (isText(edit.newText) && edit.newText.length > EVOLVING_MAX_UNITS) throw tooLarge(editIndex, address);
    if (isText(edit.oldText) && edit.oldText.length > 2 * EVOLVING_MAX_UNITS) throw noMatch(edit, editIndex, address);
    await checkEdit(edit, editIndex, address, slices);
    const lines = await uniformLines(edited, slices);
    // At the most, each two units of it become one. What is far too long is not even looked through.
    if (edit.oldText.length > 2 * lines.text.length) throw noMatch(edit, editIndex, address);
    const oldText = await toLf(edit.oldText, slices);
    const all = await occurrences(lines.text, oldText, slices);
    if (all.length === 0) throw noMatch(edit, editIndex, address);
    if (all.length > 1 && !replaceAll) {
      throw ambiguous(await lineNumbersOf(lines.text, all, slices), editIndex, address);
    }
    const starts = await withoutOverlap(all, oldText.length, slices);
    const growth = starts.length * (edit.newText.length - oldText.length);
    if (edited.length + growth > EVOLVING_MAX_UNITS) throw tooLarge(editIndex, address);
    edited = await replaceAt({ original: edited, lines, starts, oldText, newText: edit.newText }, slices);
    applied += starts.length;
  }
  return { body: edited, applied };
}

function isText(text: unknown): text is string {
  return typeof text === "string";
}

/** Refuses what no edit can be, before the note is looked at. */
async function checkEdit(
  { oldText, newText }: NoteEdit,
  editIndex: number,
  address: string,
  slices: Slices,
): Promise<void> {
  for (const [name, text] of [
    ["the text to replace", oldText],
    ["the new text", newText],
  ] as const) {
    if (typeof text !== "string" || !(await isWellFormed(text, slices))) {
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

/** So long a text is looked through in about a millisecond. */
const PIECE_UNITS = 256 * 1024;

async function isWellFormed(text: string, slices: Slices): Promise<boolean> {
  for (let from = 0; from < text.length;) {
    // Never between the two halves of a character.
    const last = text.charCodeAt(from + PIECE_UNITS - 1);
    const end = from + PIECE_UNITS + (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    if (!text.slice(from, end).isWellFormed()) return false;
    from = end;
    if (slices.isOver) await slices.next();
  }
  return true;
}

/** Places in a text at which one text is replaced by another. */
interface Replacement {
  readonly original: string;
  readonly lines: UniformLines;
  /** Ascending places of the uniform text, without overlap. */
  readonly starts: Uint32Array;
  /** What is there, with line ends as LF. */
  readonly oldText: string;
  readonly newText: string;
}

async function replaceAt(replacement: Replacement, slices: Slices): Promise<string> {
  const { original, lines, starts, oldText, newText } = replacement;
  const insertedAt = newText.includes("\n") ? await insertedInOrder(replacement, slices) : () => newText;
  const parts = new Parts();
  let from = 0;
  let steps = 0;
  for (const start of starts) {
    const [at, end] = [lines.toOriginal(start), lines.toOriginal(start + oldText.length)];
    const inserted = insertedAt(start, original.slice(at, end));
    parts.add(original.slice(from, at));
    parts.add(typeof inserted === "string" ? inserted : await inserted);
    from = end;
    if (++steps % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  parts.add(original.slice(from));
  return parts.text();
}

/**
 * Asked for places from left to right, and what the original has there: the new text with the line
 * ends that it gets in that place. To be awaited only where they are of two kinds.
 */
async function insertedInOrder(
  { lines, oldText, newText }: Replacement,
  slices: Slices,
): Promise<(start: number, old: string) => string | Promise<string>> {
  const written = {
    "\n": await withLineEnd(newText, "\n", slices),
    "\r\n": await withLineEnd(newText, "\r\n", slices),
  };
  const lineEndAround = lineEndInOrder(lines);
  if (!oldText.includes("\n")) {
    return (start) => {
      const own = lineEndAround(start);
      return own === undefined ? newText : written[own];
    };
  }
  const unitsInCrlf = oldText.length + (await occurrences(oldText, "\n", slices)).length;
  return (_start, old) => {
    if (old.length === oldText.length) return written["\n"];
    return old.length === unitsInCrlf ? written["\r\n"] : withLineEndsOf(old, newText, slices);
  };
}

/**
 * Asked for places from left to right: the line end of the place's line, or, where that is the last
 * one and has none, the last one before it. Goes through the text once.
 */
function lineEndInOrder(lines: UniformLines): (start: number) => LineEnd | undefined {
  const { text } = lines;
  const last = text.lastIndexOf("\n");
  let next = text.indexOf("\n");
  return (start) => {
    if (next !== -1 && next < start) next = text.indexOf("\n", start);
    if (next !== -1) return lines.lineEndAt(next);
    return last === -1 ? undefined : lines.lineEndAt(last);
  };
}

/** The new text with its line ends written one by one as those of the old one, which has some; further ones as the last. */
async function withLineEndsOf(old: string, newText: string, slices: Slices): Promise<string> {
  const parts = new Parts();
  let from = 0;
  let steps = 0;
  let oldEnd = old.indexOf("\n");
  for (let end = newText.indexOf("\n"); end !== -1 && oldEnd !== -1; end = newText.indexOf("\n", from)) {
    parts.add(newText.slice(from, newText[end - 1] === "\r" ? end - 1 : end));
    parts.add(lineEndUpTo(old, oldEnd));
    from = end + 1;
    oldEnd = old.indexOf("\n", oldEnd + 1);
    if (++steps % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  parts.add(await withLineEnd(newText.slice(from), lineEndUpTo(old, old.lastIndexOf("\n")), slices));
  return parts.text();
}

/** The line end whose LF is at `position`. */
function lineEndUpTo(text: string, position: number): LineEnd {
  return text[position - 1] === "\r" ? "\r\n" : "\n";
}

/** A text in parts. A few are joined at a time: a million of them at once would take longer than a slice. */
class Parts {
  readonly #joined: string[] = [];
  #parts: string[] = [];

  add(part: string): void {
    if (this.#parts.push(part) < STEPS_A_LOOK) return;
    this.#joined.push(this.#parts.join(""));
    this.#parts = [];
  }

  text(): string {
    return this.#joined.join("") + this.#parts.join("");
  }
}

/** The lines, counted from one, on which matches begin. */
async function lineNumbersOf(text: string, starts: Uint32Array, slices: Slices): Promise<number[]> {
  const numbers: number[] = [];
  let line = 1;
  let steps = 0;
  let next = text.indexOf("\n");
  for (const start of starts) {
    for (; next !== -1 && next < start; next = text.indexOf("\n", next + 1)) {
      line++;
      if (++steps % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
    }
    if (numbers.at(-1) !== line) numbers.push(line);
    if (++steps % STEPS_A_LOOK === 0 && slices.isOver) await slices.next();
  }
  return numbers;
}

function noMatch({ oldText }: NoteEdit, editIndex: number, address: string): NoteError {
  const message = `edit ${editIndex} of ${shownAddress(address)} matches nothing: ${shownValue(oldText)} is not in the body; read the note and copy the text as it stands`;
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
