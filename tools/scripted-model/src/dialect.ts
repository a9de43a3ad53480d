import type { Answer } from "./script.ts";

/** The request that is answered, and its number, from which ids are made. */
export interface AnswerContext<Request> {
  readonly request: Request;
  readonly requestNumber: number;
}

/**
 * How one provider's protocol writes an answer. A dialect only turns values into values: the
 * server knows HTTP, and the script knows which answer it is.
 */
export interface Dialect<Request> {
  /** The part of the path that belongs to the URL that a host is configured with: `/v1`. */
  readonly basePath: string;
  /** The whole path of the one route, to which requests are posted. */
  readonly path: string;
  /**
   * The request in `body`, which is parsed JSON.
   *
   * @throws ScriptFault `bad_request` where it is none
   */
  parse(body: unknown): Request;
  wantsStream(request: Request): boolean;
  /** The records of an event stream, each with its closing blank line. The first must be one with which a hanging answer can begin. */
  stream(answer: Answer, context: AnswerContext<Request>): readonly string[];
  /** The answer in one piece, before it is made JSON. */
  whole(answer: Answer, context: AnswerContext<Request>): object;
  /** The body of an error, before it is made JSON. */
  error(status: number, message: string): object;
  /**
   * Further routes, to which is posted too, by their whole path: each makes an answer of the request's
   * body alone, before it is made JSON. They play no step.
   */
  readonly besides?: Readonly<Record<string, (body: unknown) => object>>;
}
