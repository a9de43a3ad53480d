import type { Outcome, RefusalCode } from "@notesoup/protocol";
import { renderRefusal } from "@notesoup/render";

/** A host's pure addition to a text, for instance a line above it. The same text must always give the same result. */
export type Decorate = (text: string) => string;

/** No addition. */
export const undecorated: Decorate = (text) => text;

/** What an operation answers: the outcome, and its text as it is to be delivered. */
export interface Answer<Success> {
  readonly outcome: Outcome<Success>;
  /**
   * The text of the outcome. A success carries the host's decoration already, for it was measured
   * with it; a refusal is always the one plain line. Who renders the outcome anew, behind a pipe
   * for instance, applies the decoration to that rendering.
   */
  readonly text: string;
}

/** An answer that refuses. */
export function refuse(code: RefusalCode, message: string): Answer<never> {
  return { outcome: { ok: false, error: { code, message } }, text: renderRefusal({ code, error: message }) };
}

/** An answer that succeeds, with the text that was measured. */
export function succeed<Success>(data: Success, text: string): Answer<Success> {
  return { outcome: { ok: true, data }, text };
}
