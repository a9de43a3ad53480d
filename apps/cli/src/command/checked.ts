import { checkArguments, type ToolContract } from "@notesoup/protocol";
import type { Static, TObject } from "typebox";
import { WrongUse } from "./refused.ts";

/**
 * The arguments of an operation, checked at the door as every host does it. What was not given is left out.
 *
 * @throws WrongUse
 */
export function checked<Parameters extends TObject>(
  tool: ToolContract<Parameters>,
  given: Readonly<Record<string, unknown>>,
): Static<Parameters> {
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const result = checkArguments(tool, args);
  if (result.ok) return result.args;
  throw new WrongUse(result.message.replace(/^error: invalid_arguments: /u, ""));
}
