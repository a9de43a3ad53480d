import { asObject, asText, type JsonObject } from "../../json.ts";
import type { WireResult } from "../wire.ts";
import { contentText } from "./content.ts";
import { fullOutputPathOf } from "./full-output.ts";
import { nestedCallsOf } from "./nested-calls.ts";

/** What a call came to, with the evidence that Pi keeps of it (History identity and execution evidence). */
export function toolResult(message: JsonObject, entryId: string, time: number | null): WireResult {
  const fullOutputPath = fullOutputPathOf(message);
  return {
    kind: "result",
    time,
    // Where it is missing, one that no call has.
    callId: asText(message.toolCallId) ?? `${entryId}/result`,
    tool: asText(message.toolName),
    isError: message.isError === true,
    outputTruncated: fullOutputPath !== undefined || isTruncated(message),
    fullOutputPath,
    output: () => contentText(message.content),
    nested: nestedCallsOf(message.nestedCalls),
  };
}

function isTruncated({ details }: JsonObject): boolean {
  return asObject(asObject(details)?.truncation)?.truncated === true;
}
