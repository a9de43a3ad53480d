import { type Static, type TObject, Type } from "typebox";
import { RefusalSchema } from "./refusal.ts";
import { oneOf } from "./schema.ts";

/** What a host needs to offer a tool: its name, the words that the model reads, and its schemas. */
export interface ToolContract<Parameters extends TObject = TObject, Success extends TObject = TObject> {
  readonly name: string;
  /** What the tool does and when to reach for it, as the model reads it. */
  readonly description: string;
  readonly parameters: Parameters;
  readonly success: Success;
  /** The schema of every structured result: a success or a refusal. */
  readonly result: Type.TUnsafe<Static<Success> | Static<typeof RefusalSchema>>;
}

/** Completes a contract with the schema of its results. */
export function defineTool<Parameters extends TObject, Success extends TObject>(
  contract: Omit<ToolContract<Parameters, Success>, "result">,
): ToolContract<Parameters, Success> {
  return { ...contract, result: oneOf([contract.success, RefusalSchema]) };
}
