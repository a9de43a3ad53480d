import { bodyAndMeta } from "@notesoup/notes/maintenance";
import type { Verdict } from "./run-files.ts";

/** A note of which more than this part is gone has been rewritten. */
const REWRITTEN_PART = 0.5;
/** A run that crumples, rewrites or moves away more than this part of the notes in its scope is stopped. */
const TOUCHED_PART = 0.4;

const NO_TIMES = { birthtime: new Date(0), mtime: new Date(0) };

/**
 * What a dream made of a note, from the state before the dream to the one now (the deletion policy). A
 * note is rewritten where more than half of its text is gone, counted in bytes of the words that are
 * no longer in it: a correction keeps most of a note, a summary does not.
 *
 * @param after `undefined` where nothing is at the note's path any more
 */
export function verdictOn(before: Buffer, after: Buffer | undefined): Verdict {
  if (after === undefined) return "moved";
  const [old, now] = [bodyAndMeta(before, NO_TIMES), bodyAndMeta(after, NO_TIMES)];
  if (old === undefined || now === undefined) return "rewritten";
  if (gonePart(old.body, now.body) > REWRITTEN_PART) return "rewritten";
  return old.meta.crumpledAt === undefined && now.meta.crumpledAt !== undefined ? "crumpled" : "kept";
}

// Scripts that put no space between words have a word in every letter.
const WORD =
  /\p{Ideographic}|\p{Script=Hiragana}|\p{Script=Katakana}|[^\s\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/** Which part of the old words, weighed by their bytes, has no equal one among the new words: 0 to 1. */
function gonePart(old: string, now: string): number {
  const left = new Map<string, number>();
  for (const [word] of now.matchAll(WORD)) left.set(word, (left.get(word) ?? 0) + 1);
  let all = 0;
  let gone = 0;
  for (const [word] of old.matchAll(WORD)) {
    const bytes = Buffer.byteLength(word);
    const count = left.get(word) ?? 0;
    all += bytes;
    if (count === 0) gone += bytes;
    else left.set(word, count - 1);
  }
  return all === 0 ? 0 : gone / all;
}

/** Whether a run has done too much to be believed: more than 40 per cent of the live notes in its scope. */
export function isTooMuch(touched: number, liveNotes: number): boolean {
  return touched > TOUCHED_PART * liveNotes;
}
