import { quote } from "@notesoup/text";
import type { Decorate } from "../answer.ts";
import { deliver } from "../delivery.ts";
import { Refused } from "../refused.ts";

/**
 * A receipt cannot shrink, and a change cannot be taken back: whether the receipt will fit is asked
 * of the longest one that can come, before anything is changed.
 *
 * @throws Refused `output_too_large`
 */
export function requireReceiptFits<Receipt extends { readonly address: string }>(
  longest: Receipt,
  render: (receipt: Receipt) => string,
  decorate: Decorate,
): void {
  if (deliver(longest, render, decorate) !== undefined) return;
  throw new Refused(
    "output_too_large",
    `the receipt for ${quote(longest.address)} would not fit the output budget with what the host adds to it, so nothing was changed; use a shorter address, or make the host add less`,
  );
}
