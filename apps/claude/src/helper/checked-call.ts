import { checkArguments, type ToolContract } from "@notesoup/protocol";
import type { Answer } from "@notesoup/tools";
import type { Static, TObject } from "typebox";
import type { CallAnswer, FailureAnswer } from "../transport/answer.ts";
import type { SessionFacts } from "../transport/request.ts";

/** Does a call for a session. Nobody has looked at its arguments. */
export type Call = (session: SessionFacts, args: unknown) => Promise<CallAnswer | FailureAnswer>;

/** A tool's calls. Arguments that the tool does not take are a failure, and not an outcome of the tool. */
export function checkedCall<Parameters extends TObject, Context>(
  contract: ToolContract<Parameters>,
  contextOf: (session: SessionFacts) => Context,
  operation: (context: Context, args: Static<Parameters>) => Promise<Answer<object>>,
): Call {
  return async (session, given) => {
    const checked = checkArguments(contract, given);
    if (!checked.ok) return { kind: "failure", line: checked.message };
    const { outcome } = await operation(contextOf(session), checked.args);
    return { kind: "outcome", outcome };
  };
}
