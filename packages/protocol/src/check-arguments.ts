import type { Static, TObject } from "typebox";
import { Check, Errors } from "typebox/value";
import type { ToolContract } from "./tool-contract.ts";

/** What checking a call's arguments comes to. */
export type CheckedArguments<Parameters extends TObject> =
  | { readonly ok: true; readonly args: Static<Parameters> }
  | { readonly ok: false; readonly message: string };

const REASONS_SHOWN = 3;
const NAME_MAX_CHARS = 40;

/**
 * Checks a call's arguments against the schema of its tool, for a host that does not validate by
 * itself. Nothing is coerced. A failure is a failure of the host, not an outcome of the tool:
 * `message` is the one line `error: invalid_arguments: …`. Ranges are the operation's to check.
 */
export function checkArguments<Parameters extends TObject>(
  tool: ToolContract<Parameters>,
  args: unknown,
): CheckedArguments<Parameters> {
  if (Check(tool.parameters, args)) return { ok: true, args };
  const reasons = new Map<string, SchemaError>();
  for (const error of Errors(tool.parameters, args)) {
    const reason = reasonOf(error);
    if (reason !== undefined) reasons.set(reason, error);
    if (reasons.size === REASONS_SHOWN) break;
  }
  return { ok: false, message: `error: invalid_arguments: ${tool.name}: ${joined([...reasons])}` };
}

type SchemaError = ReturnType<typeof Errors>[number];

/** The reasons in one line. Those why no schema of a `oneOf` was met, which follow one another, are alternatives. */
function joined(reasons: readonly (readonly [string, SchemaError])[]): string {
  let line = "";
  let before: string | undefined;
  for (const [reason, error] of reasons) {
    const choice = choiceOf(error);
    const joint = choice !== undefined && choice === before ? " or " : "; ";
    line += line === "" ? reason : `${joint}${reason}`;
    before = choice;
  }
  return line;
}

function choiceOf({ schemaPath }: SchemaError): string | undefined {
  return /^.*?\/oneOf(?=\/)/u.exec(schemaPath)?.[0];
}

function reasonOf({ keyword, instancePath, message, params }: SchemaError): string | undefined {
  const where = instancePath === "" ? "" : `${instancePath.slice(1).replaceAll("/", ".")} `;
  switch (keyword) {
    case "additionalProperties":
      return `no parameter is named ${params.additionalProperties.slice(0, REASONS_SHOWN).map(nameOf).join(", ")}`;
    // Said once more, and better, by `additionalProperties` and by the schemas to choose from.
    case "boolean":
    case "oneOf":
      return undefined;
    case "enum":
      return `${where}must be one of ${params.allowedValues.map((value) => JSON.stringify(value)).join(", ")}`;
    default:
      return `${where}${message}`;
  }
}

/** A foreign name on one line, cut where it is long. */
function nameOf(name: string): string {
  const shown = Array.from(name).slice(0, NAME_MAX_CHARS).join("");
  return JSON.stringify(shown).replace(
    /[\u007f-\uffff]/gu,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
