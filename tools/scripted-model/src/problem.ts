/** What went wrong in a script or in a request to it. */
export type ProblemCode =
  | "unknown_route"
  | "bad_json"
  | "bad_request"
  | "no_lane"
  | "script_exhausted"
  | "step_failed"
  | "lifetime_over";

/** An entry of `model.problems`. A test asserts that there is none. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** The request that met it, counted from 1; absent where no request was understood. */
  readonly requestNumber?: number;
  /** What a step or a `match` threw. */
  readonly cause?: unknown;
}

/** A problem on its way to the answer and to the list of problems. */
export class ScriptFault extends Error {
  override readonly name = "ScriptFault";
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
