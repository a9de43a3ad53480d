import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { jsonBytes, utf8Bytes } from "@notesoup/text";

/** Whether both forms of a result, its JSON and its delivered text, are within the output budget. */
export function fitsBudget(result: unknown, text: string): boolean {
  return utf8Bytes(text) <= OUTPUT_BUDGET_BYTES && jsonBytes(result) <= OUTPUT_BUDGET_BYTES;
}
