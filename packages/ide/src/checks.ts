import { Refusal } from "@notesoup/ide-registry";
import { Check, Errors } from "typebox/value";
import { type IdeArguments, type IdeRecord, type IdeToolName, ideTools, recordSchemas } from "./schemas.ts";

const MAX_RECORD_BYTES = 64 * 1024;
const REASONS_SHOWN = 3;

/**
 * Checks a call's arguments. Hosts that validate by themselves coerce, and do not check all that a schema says.
 *
 * @throws Refusal `invalid_arguments`
 */
export function checkedArguments<Name extends IdeToolName>(name: Name, args: unknown): IdeArguments<Name> {
  const { parameters } = ideTools[name];
  if (Check(parameters, args)) return args as IdeArguments<Name>;
  const reasons = Errors(parameters, args)
    .filter(({ keyword }) => keyword !== "boolean" && keyword !== "oneOf")
    .slice(0, REASONS_SHOWN)
    .map(({ instancePath, message }) => `${instancePath.slice(1).replaceAll("/", ".")} ${message}`.trim());
  throw new Refusal(
    "invalid_arguments",
    `${name}: ${reasons.join(", ") || "no such form of a call"}`,
    "call it as its parameters say",
  );
}

/** Whether a record is what its tool's schema says, and small. One that is not is a defect: its result is not to be used. */
export function isSoundRecord<Name extends IdeToolName>(name: Name, record: unknown): record is IdeRecord<Name> {
  return Check(recordSchemas[name], record) && Buffer.byteLength(JSON.stringify(record)) <= MAX_RECORD_BYTES;
}
