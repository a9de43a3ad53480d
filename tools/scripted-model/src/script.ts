import { ScriptFault } from "./problem.ts";

/** A call of a tool: with `args`, which are sent as JSON, or with `rawArgs`, which are sent as they are (broken JSON, say). */
export type ToolCall = {
  /** Made up (`call_1`, `call_2`, ...) where absent. */
  readonly id?: string;
  readonly name: string;
} & ({ readonly args?: object; readonly rawArgs?: never } | { readonly args?: never; readonly rawArgs: string });

/** What an answer is said to have cost. A figure that is absent is estimated from the lengths. */
export interface Usage {
  /** All tokens of the request, cached ones included. */
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  /** Those of them that were put into the cache; only Anthropic's Messages have a word for it. */
  readonly cacheWriteInputTokens?: number;
  readonly outputTokens?: number;
}

/** Why an answer ends; each dialect has a word of its own for it. */
export type Finish = "stop" | "length" | "tool_calls" | "content_filter";

/** An answer of the model. */
export interface AnswerStep {
  readonly text?: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly usage?: Usage;
  /** `tool_calls` where there are tool calls, else `stop`, if absent. */
  readonly finish?: Finish;
  /** Code points of a piece of a streamed text, thought or argument; 40 if absent. */
  readonly chunkSize?: number;
  /** The connection breaks after so many records of the stream; it does not if absent. */
  readonly cutAfter?: number;
}

/** An answer of HTTP that is an error. It is played on purpose and so is not a problem. */
export interface ErrorStep {
  readonly status: number;
  readonly error: string;
}

/** Headers and the first piece of a stream, and then nothing until the client goes away. */
export interface HangStep {
  readonly hang: true;
}

/** What a function step knows beside its request. */
export interface StepState<Request> {
  /** The request's number, counted from 1. */
  readonly requestNumber: number;
  /** All requests so far, this one included. */
  readonly requests: readonly Request[];
  /** Aborted when the client goes away before the answer's end. */
  readonly signal: AbortSignal;
}

/** A step that is made from the request. What it throws is a problem, and so it may hold assertions. */
export type FunctionStep<Request> = (
  request: Request,
  state: StepState<Request>,
) => Step<Request> | Promise<Step<Request>>;

type PlainStep = string | AnswerStep | ErrorStep | HangStep;

/** One turn of a script. A string is an answer of text. */
export type Step<Request> = PlainStep | FunctionStep<Request>;

/** Steps for the requests that match: one for the main agent, say, and one for its subagent. */
export interface Lane<Request> {
  /** Every request matches where it is absent. */
  readonly match?: (request: Request) => boolean;
  readonly steps: readonly Step<Request>[];
}

/** An answer in which nothing is left to choose. Arguments are text, as they travel. */
export interface Answer {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly usage: Usage;
  readonly finish: Finish;
  readonly chunkSize: number;
}

/** What is to be sent for one request. */
export type Reply =
  | { readonly kind: "answer"; readonly answer: Answer }
  /** Only so many records of the answer's stream are sent, and then the connection breaks. */
  | { readonly kind: "cut"; readonly answer: Answer; readonly cutAfter: number }
  | { readonly kind: "error"; readonly status: number; readonly message: string }
  /** Only the beginning of the answer, which is an empty one, is sent. */
  | { readonly kind: "hang"; readonly answer: Answer };

const CHUNK_SIZE = 40;

/** The lanes of a script and how far each has been played. It knows nothing of any protocol. */
export class Script<Request> {
  readonly #lanes: readonly { readonly lane: Lane<Request>; played: number }[];
  #toolCalls = 0;

  constructor(lanes: readonly Lane<Request>[]) {
    this.#lanes = lanes.map((lane) => ({ lane, played: 0 }));
  }

  /**
   * Plays the next step of the first lane that matches.
   *
   * @throws ScriptFault where no lane matches, the lane is exhausted, or a function of the script throws
   */
  async play(request: Request, state: StepState<Request>): Promise<Reply> {
    return this.#replyOf(await plain(this.#take(request), request, state));
  }

  #take(request: Request): Step<Request> {
    const number = this.#lanes.findIndex(({ lane }) => matches(lane, request));
    const found = this.#lanes[number];
    if (found === undefined) throw new ScriptFault("no_lane", "No lane of the script matches the request.");
    const step = found.lane.steps[found.played];
    if (step === undefined) {
      throw new ScriptFault(
        "script_exhausted",
        `All ${found.played} steps of lane ${number} of the script are played.`,
      );
    }
    found.played++;
    return step;
  }

  #replyOf(step: PlainStep): Reply {
    if (typeof step === "string") return this.#replyOf({ text: step });
    // The types forbid it; a function step in a script that is not type-checked may forget its `return`.
    if (typeof step !== "object" || step === null)
      throw new ScriptFault("step_failed", `A step gave ${String(step)} in place of a step.`);
    if ("status" in step) return { kind: "error", status: step.status, message: step.error };
    if ("hang" in step) return { kind: "hang", answer: this.#answerOf({}) };
    const answer = this.#answerOf(step);
    const { cutAfter } = step;
    if (cutAfter === undefined) return { kind: "answer", answer };
    if (!(cutAfter >= 0)) throw new ScriptFault("step_failed", `A stream cannot break after ${cutAfter} records.`);
    return { kind: "cut", answer, cutAfter };
  }

  #answerOf(step: AnswerStep): Answer {
    const toolCalls = (step.toolCalls ?? []).map((call) => ({
      id: call.id ?? `call_${++this.#toolCalls}`,
      name: call.name,
      args: call.rawArgs ?? JSON.stringify(call.args ?? {}),
    }));
    return {
      text: step.text ?? "",
      thinking: step.thinking ?? "",
      toolCalls,
      usage: step.usage ?? {},
      finish: step.finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
      chunkSize: step.chunkSize ?? CHUNK_SIZE,
    };
  }
}

function matches<Request>(lane: Lane<Request>, request: Request): boolean {
  try {
    return lane.match?.(request) ?? true;
  } catch (cause) {
    throw new ScriptFault("step_failed", `The match of a lane threw: ${messageOf(cause)}`, { cause });
  }
}

/** The step that a function step comes to, which may take more than one function. */
async function plain<Request>(step: Step<Request>, request: Request, state: StepState<Request>): Promise<PlainStep> {
  if (typeof step !== "function") return step;
  return plain(await called(step, request, state), request, state);
}

async function called<Request>(
  step: FunctionStep<Request>,
  request: Request,
  state: StepState<Request>,
): Promise<Step<Request>> {
  try {
    return await step(request, state);
  } catch (cause) {
    throw new ScriptFault("step_failed", `A step threw: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
