import type { ToolSummary } from "./event.ts";
import type { NestedCall, WireItem } from "./wire/wire.ts";

/** What was said of an event, in the order of saying. */
export interface EventItems {
  readonly tool?: ToolSummary;
  readonly message: readonly WireItem[];
  readonly call: WireItem | undefined;
  readonly result: WireItem | undefined;
  readonly nested: readonly WireItem[];
}

/**
 * The document of an event: one text made of its facts, which search, positions and reading address.
 * The same facts give the same text. It is made well-formed once, here.
 *
 * Words are their texts. An execution is a line with the tool's name and status, a line with the
 * whole arguments as JSON, the output behind a blank line, and the nested calls, a line each,
 * behind another.
 */
export function documentOf({ tool, message, call, result, nested }: EventItems): string {
  const text =
    tool === undefined
      ? messageText(message)
      : [headText(tool, call), outputText(result), nestedText(tool, result, nested)]
          .filter((part) => part !== "")
          .join("\n\n");
  return text.toWellFormed();
}

/** The texts of a message, each once: a record may say again what one before it has said. */
function messageText(items: readonly WireItem[]): string {
  const texts = items.map((item) => (item.kind === "message" ? item.text() : "")).filter((text) => text !== "");
  return [...new Set(texts)].join("\n\n");
}

function headText({ tool, status }: ToolSummary, call: WireItem | undefined): string {
  const head = `${tool} · ${status}`;
  if (call?.kind !== "call") return head;
  return `${head}\n${call.args() ?? "arguments not recorded"}`;
}

function outputText(result: WireItem | undefined): string {
  return result?.kind === "result" ? result.output() : "";
}

function nestedText(
  { nested: evidence }: ToolSummary,
  result: WireItem | undefined,
  records: readonly WireItem[],
): string {
  if (evidence === undefined) return "";
  const recorded = result?.kind === "result" ? (result.nested?.calls() ?? []) : [];
  const calls = [...recorded, ...merged(records)];
  const head = `nested calls: ${evidence.callCount} · ${evidence.complete ? "complete" : "incomplete"}`;
  return [head, ...calls.map(nestedLine)].join("\n");
}

/** Of several records of one nested call, each tells what is new. */
function merged(records: readonly WireItem[]): NestedCall[] {
  const calls = new Map<string, NestedCall>();
  for (const record of records) {
    if (record.kind !== "nested") continue;
    const { id } = record.call;
    const told = Object.entries(record.call).filter(([, value]) => value !== undefined);
    calls.set(id, { ...record.call, ...calls.get(id), ...(Object.fromEntries(told) as Partial<NestedCall>) });
  }
  return [...calls.values()];
}

function nestedLine({ id, name, args, argumentsBytes, status, durationMs, error }: NestedCall): string {
  const parts = [id, name, status];
  if (durationMs !== undefined) parts.push(`${durationMs} ms`);
  if (args !== undefined) parts.push(args);
  else if (argumentsBytes !== undefined) parts.push(`arguments omitted by host (${argumentsBytes} bytes)`);
  if (error !== undefined) parts.push(`error: ${error}`);
  return parts.join(" · ");
}
