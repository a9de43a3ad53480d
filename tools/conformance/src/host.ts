import type { Step, ToolCall } from "@notesoup/scripted-model";
import type { Run } from "./differences.ts";
import { argumentsOf, type Row, type Tool } from "./row.ts";
import type { World } from "./world.ts";

/** What a call came to, as a host delivered it. */
export interface Delivered {
  /** What the model reads. */
  readonly text: string;
  /** Whether the host marks it as an error. */
  readonly isError: boolean;
  /** The structured result; absent where the host has none. */
  readonly structured?: unknown;
}

/** A table, played. */
export interface Played extends Run {
  /** A result for each row, in the order of the table. */
  readonly results: readonly Delivered[];
}

/** A host that joins the table. */
export interface Host {
  readonly name: string;
  /** The folder of its app, which is packed as it is published. */
  readonly app: string;
  /**
   * Plays the rows one after another in one session of the real host.
   *
   * @param app the packed app, unpacked
   * @param makeWorld makes what the host finds, anew each time
   * @throws Error where the host does not do as the model says, complains, or does not end in order
   */
  readonly play: (app: string, makeWorld: () => Promise<World>, rows: readonly Row[]) => Promise<Played>;
}

/** What a person says in every host. */
export const PROMPT = "Play the table. ☕";
/** How long a play may take, in milliseconds: a bound that only ends what hangs. */
export const PLAY_MS = 300_000;
/** What the model says at the end. */
export const DONE = "Done.";

/** So little that no host ever thinks of an end of the window. */
export const USAGE = { inputTokens: 1000, outputTokens: 10 };

/** How a host's protocol has what a script needs. */
export interface Protocol<Request> {
  /** A call of a tool, as the host's model makes it. */
  readonly call: (id: string, tool: Tool, args: object) => ToolCall;
  /** The text of the result that a request brings back. */
  readonly resultIn: (request: Request) => string;
}

/** The last step of a script. */
export const LAST_STEP = { text: DONE, usage: USAGE };

/** The id of the call of a row, by the row's place in the table. */
export const callId = (index: number): string => `row_${index}`;

/** The steps of a model that plays rows: one call a step, and a word at the end. */
export function stepsOf<Request>(rows: readonly Row[], { call, resultIn }: Protocol<Request>): Step<Request>[] {
  const calls = rows.map((row, index): Step<Request> => (_, { requests }) => {
    const [, afterFirst] = requests;
    const args = argumentsOf(row, afterFirst === undefined ? "" : resultIn(afterFirst));
    return { toolCalls: [call(callId(index), row.tool, args)], usage: USAGE };
  });
  return [...calls, LAST_STEP];
}

/** The texts of the results that a host's requests have brought back, in the order of the rows. */
export function textsOf<Request>(
  rows: readonly Row[],
  requests: readonly Request[],
  { resultIn }: Protocol<Request>,
): string[] {
  return rows.map((_, index) => {
    const request = requests[index + 1];
    if (request === undefined) throw new Error(`Row ${index} was not played.`);
    return resultIn(request);
  });
}
