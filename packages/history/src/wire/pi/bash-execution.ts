import { asText, type JsonObject, jsonText } from "../../json.ts";
import type { WireItem } from "../wire.ts";

/**
 * A command that a person ran with `!`: an execution like any other, though no model has called it.
 * One record holds the call and its result. The output is what Pi has recorded, without the lines on
 * exit code and cancelling that it adds for the model.
 */
export function bashExecutionItems(message: JsonObject, entryId: string, time: number | null): readonly WireItem[] {
  const { exitCode, cancelled, truncated } = message;
  const callId = `bashExecution/${entryId}`;
  const tool = "bash";
  const command = asText(message.command);
  const fullOutputPath = asText(message.fullOutputPath);
  return [
    { kind: "call", time, callId, tool, args: () => (command === undefined ? undefined : jsonText({ command })) },
    {
      kind: "result",
      time,
      callId,
      tool,
      isError: (typeof exitCode === "number" && exitCode !== 0) || cancelled === true,
      outputTruncated: truncated === true || fullOutputPath !== undefined,
      fullOutputPath,
      output: () => asText(message.output) ?? "",
    },
  ];
}
