import { asList, asObject, asText, jsonText } from "../../json.ts";
import type { NestedCall, NestedCalls } from "../wire.ts";

/**
 * The calls that a tool made, as Pi's `NestedCallRecorder` left them on its result: never counted
 * anew, and nothing is claimed where there is no record.
 */
export function nestedCallsOf(value: unknown): NestedCalls | undefined {
  const record = asObject(value);
  if (record === undefined) return undefined;
  const calls = asList(record.calls);
  return { callCount: calls.length, complete: record.complete === true, calls: () => calls.map(nestedCall) };
}

function nestedCall(value: unknown): NestedCall {
  const call = asObject(value) ?? {};
  return {
    id: asText(call.id) ?? "unknown id",
    name: asText(call.name) ?? "unknown tool",
    args: jsonText(call.arguments),
    argumentsBytes: asFiniteNumber(call.argumentsBytes),
    status: statusOf(call.status),
    durationMs: asFiniteNumber(call.durationMs),
    error: asText(call.error),
  };
}

/** A status that is not known is one that says of no end. */
function statusOf(value: unknown): NestedCall["status"] {
  return value === "ok" || value === "error" ? value : "unfinished";
}

/** JSON can hold numbers that are read as infinite. */
function asFiniteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
