import type { RefusalCode } from "@notesoup/protocol";
import type { Difference } from "./differences.ts";

/** A tool of the protocol. */
export type Tool =
  | "notes_write"
  | "notes_read"
  | "notes_update"
  | "notes_list"
  | "notes_search"
  | "history_list"
  | "history_read";

/** A call, and what every host must make of it alike. */
export interface Row {
  readonly tool: Tool;
  /** What the tool does there, for the name of the test. */
  readonly does: string;
  /** The arguments, which may be about what the person said. */
  readonly args: object | ((promptSeq: number) => object);
  /** A success, a refusal with its code, or a failure of the host, which does not take the arguments. */
  readonly outcome: "success" | "host failure" | RefusalCode;
  /** In what the hosts may differ. */
  readonly differs: readonly Difference[];
}

/**
 * The arguments of a row.
 *
 * @param first the text of the table's first row, which finds what the person said
 */
export function argumentsOf({ args }: Row, first: string): object {
  if (typeof args !== "function") return args;
  const seq = /^seq (?<seq>\d+) \| user/u.exec(first)?.groups?.["seq"];
  if (seq === undefined) throw new Error(`The first row did not find what the person said: ${first}`);
  return (args as (promptSeq: number) => object)(Number(seq));
}
