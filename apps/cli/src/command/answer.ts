import { resultOf } from "@notesoup/protocol";
import type { Answer } from "@notesoup/tools";
import { complain, say, sayJson } from "./output.ts";

/** Prints what an operation answers: its text, or the result as hosts have it on the wire. A refusal is told on standard error too. */
export function deliver(
  { outcome, text }: Answer<unknown>,
  { json = false }: { readonly json?: boolean | undefined },
): void {
  if (json) sayJson(resultOf(outcome));
  if (outcome.ok) {
    if (!json) say(text);
    return;
  }
  complain(outcome.error.code, outcome.error.message);
  process.exitCode = 1;
}
