import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { jsonBytes, utf8Bytes } from "@notesoup/text";
import { type Answer, type Decorate, succeed } from "./answer.ts";

/**
 * The answer that delivers a result, or `undefined` where one of its forms, its JSON or its
 * decorated text, passes the output budget.
 */
export function deliver<Success>(
  data: Success,
  render: (data: Success) => string,
  decorate: Decorate,
): Answer<Success> | undefined {
  if (jsonBytes(data) > OUTPUT_BUDGET_BYTES) return undefined;
  const text = decorate(render(data));
  return utf8Bytes(text) > OUTPUT_BUDGET_BYTES ? undefined : succeed(data, text);
}
