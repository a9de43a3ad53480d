import type { Row } from "./row.ts";

/** The last row of a turn: what became of it. */
export interface ResultRow extends Row {
  readonly type: "result";
  /** `success`, or the kind of the error. */
  readonly subtype: string;
  readonly is_error: boolean;
  /** The last answer of the model, or the message of an error. */
  readonly result?: string;
  readonly session_id: string;
}

/** The first row of a turn: what the host has loaded. */
export interface InitRow extends Row {
  readonly type: "system";
  readonly subtype: "init";
  readonly session_id: string;
  readonly tools: readonly string[];
  readonly plugins?: readonly { readonly name: string; readonly path: string }[];
}

/** The result of a tool, as it went to the model. */
export interface ToolResultRow {
  /** The id of the call. */
  readonly id: string;
  /** The text, or the blocks, as they are. */
  readonly content: unknown;
  /** `undefined` where the row does not say. */
  readonly isError: boolean | undefined;
  /** What the host keeps of the result beside that. */
  readonly toolUseResult: unknown;
}

/** The rows with which turns began. */
export function initRows(rows: readonly Row[]): InitRow[] {
  return rows.filter((row): row is InitRow => row.type === "system" && row["subtype"] === "init");
}

/** The rows with which turns ended. */
export function resultRows(rows: readonly Row[]): ResultRow[] {
  return rows.filter((row): row is ResultRow => row.type === "result");
}

/** The results of tools, in their order, of a stream or of a transcript. */
export function toolResults(rows: readonly Row[]): ToolResultRow[] {
  return rows.flatMap((row) => {
    const content = (row["message"] as { readonly content?: unknown } | undefined)?.content;
    if (row.type !== "user" || !Array.isArray(content)) return [];
    return (content as readonly Row[])
      .filter((block) => block.type === "tool_result")
      .map((block) => ({
        id: String(block["tool_use_id"]),
        content: block["content"],
        isError: block["is_error"] as boolean | undefined,
        toolUseResult: row["tool_use_result"] ?? row["toolUseResult"],
      }));
  });
}
