import { countCodePoints, largestFitting, printable, utf8Bytes } from "@notesoup/text";
import type { Block, Piece } from "./fit.ts";
import {
  type BootMap,
  type BootNote,
  MAP_NAME,
  type NotebookContent,
  type NotebookForm,
  type ReadyNotebook,
} from "./notebook.ts";
import { callOf, clipped, counted, toTheMinute } from "./phrases.ts";

/** What of the options of a boot its notebooks need. */
export interface NotebookOptions {
  readonly tools: { readonly notesRead: string; readonly notesList: string };
  /** Bytes of the whole text: what of a body is behind so many cannot be shown. */
  readonly maxBytes: number;
}

/** Of the room: the body of a map gets twice as much as the list of notes, and that twice as much as what is unreadable. */
const WEIGHT = { map: 4, notes: 2, unavailable: 1 };

/** The section of a notebook. */
export function notebookPieces(form: NotebookForm, content: NotebookContent, options: NotebookOptions): Piece[] {
  const { prefix, heading, glob } = form;
  const listCall = callOf(options.tools.notesList, { glob });
  if (content.status === "unreadable") {
    return [
      `## ${heading} · unreadable: ${clipped(content.code)}`,
      `It could not be read when this text was made, and may hold notes; ${listCall} tries again.`,
    ];
  }
  const { map, notes, unavailable } = content;
  const pieces: Piece[] = [`## ${heading} · ${sizeOf(content)}`];
  if (map !== null) pieces.push(noteLine(map), bodyBlock(map, `${prefix}${MAP_NAME}`, options));
  pieces.push(rowsBlock(notes.map(noteLine), WEIGHT.notes, "note", listCall));
  const unreadable = unavailable.map(({ address, code }) => `- ${clipped(address)} · unreadable: ${clipped(code)}`);
  pieces.push(rowsBlock(unreadable, WEIGHT.unavailable, "unreadable note", listCall));
  return pieces;
}

function sizeOf({ map, notes, unavailable }: ReadyNotebook): string {
  const readable = notes.length + (map === null ? 0 : 1);
  if (unavailable.length > 0) return `${counted(readable, "note")}, ${unavailable.length} unreadable`;
  return readable === 0 ? "empty" : counted(readable, "note");
}

function noteLine({ address, bytes, updatedAt }: BootNote): string {
  return `- ${clipped(address)} · ${counted(bytes, "byte")} · ${toTheMinute(updatedAt)}`;
}

function rowsBlock(lines: readonly string[], weight: number, thing: string, listCall: string): Block {
  const omission = (shown: number): string => `+${counted(lines.length - shown, `more ${thing}`)}; ${listCall}`;
  return { lines, omission, longestOmission: omission(0), weight };
}

/** UTF-16 units of a line that is cut inside where it does not fit: one that is no longer is shown whole or not at all. */
const MAX_WHOLE_UNITS = 200;

/** The body of a map, each line marked as quoted, and cut between two lines or in a long one. */
function bodyBlock({ bytes, body }: BootMap, address: string, { tools, maxBytes }: NotebookOptions): Block {
  // What is behind is never shown, for a code unit takes a byte at least; the block is then never shown whole.
  const { lines, ends } = linesOf(body.slice(0, maxBytes + 1));
  const omission = (shownBytes: number, offset: number): string =>
    `[cut: ${shownBytes} of ${counted(bytes, "byte")} shown; ${callOf(tools.notesRead, { address, offset_chars: offset })}]`;
  const omissionBehind = (units: number): string => {
    const seen = body.slice(0, units);
    return omission(utf8Bytes(seen), countCodePoints(seen));
  };
  const startOf = (line: number): number => ends[line - 1] ?? 0;
  return {
    lines: lines.map(quoted),
    omission: (shown) => omissionBehind(startOf(shown)),
    longestOmission: omission(maxBytes, maxBytes),
    beginning: (index, room) => {
      const line = lines[index] ?? "";
      if (line.length <= MAX_WHOLE_UNITS) return undefined;
      // Half a character is written as an escape, which is longer than the whole: no search ends there.
      const units = largestFitting(line.length, (count) => utf8Bytes(quoted(line.slice(0, count))) <= room);
      if (units === 0) return undefined;
      return { text: quoted(line.slice(0, units)), omission: omissionBehind(startOf(index) + units) };
    },
    weight: WEIGHT.map,
  };
}

function quoted(line: string): string {
  return line === "" ? "|" : `| ${printable(line)}`;
}

/** The lines of a text without their ends, and where each ends, its end included, in UTF-16 units. */
function linesOf(text: string): { readonly lines: readonly string[]; readonly ends: readonly number[] } {
  const lines: string[] = [];
  const ends: number[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found + 1;
    lines.push(text.slice(start, end).replace(/\r?\n$/u, ""));
    ends.push(end);
    start = end;
  }
  return { lines, ends };
}
