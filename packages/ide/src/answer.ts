import type { Handle } from "@notesoup/ide-registry";
import type { IdeRecord, IdeToolName } from "./schemas.ts";

/** An image, as hosts take it. */
export interface ImageBlock {
  readonly mime: string;
  /** In base64. */
  readonly data: string;
}

/** What a tool answers, before it is issued. */
export interface Answer {
  readonly tool: IdeToolName;
  /** What the label tells beside the tool: window, cut, totals, how to go on. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** What follows the label, verbatim. */
  readonly body: string;
  /** For the host alone. */
  readonly record: IdeRecord;
  /** The ranges that the answer stands for. */
  readonly handle?: Handle | undefined;
  /** The absolute path of what it shows, where it stands for no ranges but can be read again. */
  readonly resource?: string | undefined;
  /** What kind of resource that is. */
  readonly kind: string;
  readonly images?: readonly ImageBlock[];
}

/** An answer as it goes to the model. */
export interface Issued {
  readonly id: string;
  /** The label, a line end, and the body. */
  readonly text: string;
  readonly answer: Answer;
}
