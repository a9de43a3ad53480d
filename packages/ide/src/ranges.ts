import { type Handle, Refusal } from "@notesoup/ide-registry";
import { type Call, forEdit } from "./call.ts";
import { findOnce } from "./exact-text.ts";
import { notEditable, resolveInput } from "./inputs.ts";
import type { Workbench } from "./workbench.ts";

/** Ranges to edit. */
export interface Ranges {
  readonly handle: Handle;
  /** Whether they were named by reference, and not by a text to find. */
  readonly byReference: boolean;
}

/**
 * The ranges that an edit names: a reference's, or the one place of a text in a file or in a reference.
 *
 * @throws Refusal `invalid_arguments` for a path without a text to find; `text_not_found`,
 * `text_ambiguous`, `exact_text_blocked`; `wrong_kind`, `not_utf8` and `too_large` for what cannot be edited
 */
export async function rangesToEdit(
  bench: Workbench,
  call: Call,
  input: string,
  find: string | undefined,
): Promise<Ranges> {
  const resolved = await resolveInput(bench, call, input, forEdit(call));
  if (resolved.as === "resource") throw notEditable(resolved.kind);
  if (find !== undefined) return { handle: await findOnce(bench, call, resolved, find), byReference: false };
  if (resolved.as === "handle") return { handle: resolved.handle, byReference: true };
  throw new Refusal(
    "invalid_arguments",
    "a path alone names no text to edit",
    "give find with it, or pass a result of read, search or select",
  );
}
