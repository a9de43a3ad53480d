import { asObject, asText, type JsonObject } from "../../json.ts";
import type { WireResult } from "../wire.ts";
import { blockText, contentBlocks, nonEmpty, outputText } from "./content.ts";

/** Units at the beginning of an output in which the host says where the whole one is: a path has at most 4096 bytes. */
const HEAD_UNITS = 8192;
const PERSISTED = /^<persisted-output>\n[^\n]*Full output saved to: (?<path>[^\n]+)/u;

/** A block that says what a call came to. Those of the API's own tools end in the same word. */
export function isToolResult(value: unknown): value is JsonObject {
  return asText(asObject(value)?.type)?.endsWith("tool_result") === true;
}

/**
 * What a call came to.
 *
 * @param ownId stands for an id that is missing: no call has it
 * @param record the tool's own record of it, where the row has one for this result alone
 */
export function toolResult(block: JsonObject, ownId: string, time: number | null, record: unknown): WireResult {
  const { tool_use_id: callId, content, is_error: isError } = block;
  const head = outputHead(content);
  const fullOutputPath = nonEmpty(asObject(record)?.persistedOutputPath) ?? pathIn(head);
  return {
    kind: "result",
    time,
    callId: nonEmpty(callId) ?? ownId,
    isError: isError === true,
    outputTruncated: fullOutputPath !== undefined || head.startsWith("<persisted-output>"),
    fullOutputPath,
    output: () => outputText(content),
  };
}

function outputHead(content: unknown): string {
  return (blockText(contentBlocks(content)[0]) ?? "").slice(0, HEAD_UNITS);
}

function pathIn(head: string): string | undefined {
  const path = PERSISTED.exec(head)?.groups?.path;
  // A part of a text keeps the whole one in memory: a copy of it does not.
  return path === undefined ? undefined : structuredClone(path);
}
