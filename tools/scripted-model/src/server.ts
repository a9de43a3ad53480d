import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AnswerContext, Dialect } from "./dialect.ts";
import { openai } from "./openai.ts";
import type { ChatRequest } from "./openai-request.ts";
import { ScriptFault, type Problem } from "./problem.ts";
import { Script, type Lane, type Reply, type Step } from "./script.ts";

/** What a model is started with. A list of `steps` is a script of one lane that answers everything. */
export type ScriptedModelOptions<Request> = {
  /** A free one is taken if absent. */
  readonly port?: number;
  /** The server closes by itself after so long, so that a test that died leaves none behind; 10 minutes if absent. */
  readonly lifetimeMs?: number;
} & (
  | { readonly lanes: readonly Lane<Request>[]; readonly steps?: never }
  | { readonly steps: readonly Step<Request>[]; readonly lanes?: never }
);

/** A model server that runs. */
export interface ScriptedModel<Request> extends AsyncDisposable {
  /** The base URL that a host is configured with. */
  readonly url: string;
  /** The parsed bodies of all requests so far, in their order. It grows. */
  readonly requests: readonly Request[];
  /** All that went wrong so far. It grows; a test asserts at its end that it is empty. */
  readonly problems: readonly Problem[];
  /** Ends open answers and the server. Closing twice is closing once. */
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const LIFETIME_MS = 600_000;

// Hosts try a 5xx again, which only hides and delays a fault of the script: 4xx are final.
const FAULT_STATUS = 400;

/** Starts a model that speaks OpenAI's chat completions. */
export function startScriptedModel(options: ScriptedModelOptions<ChatRequest>): Promise<ScriptedModel<ChatRequest>> {
  return startModelOf(openai, options);
}

/** Starts a model that speaks `dialect`. It listens on the loopback only. */
export async function startModelOf<Request>(
  dialect: Dialect<Request>,
  options: ScriptedModelOptions<Request>,
): Promise<ScriptedModel<Request>> {
  const script = new Script(options.lanes ?? [{ steps: options.steps }]);
  const requests: Request[] = [];
  const problems: Problem[] = [];

  const server = createServer((incoming, response) => void answer(incoming, response));
  server.listen(options.port ?? 0, LOOPBACK);
  await once(server, "listening");

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let requestNumber: number | undefined;
    try {
      const path = routeOf(incoming, dialect);
      const body = await text(incoming).catch(() => undefined);
      if (body === undefined) return; // The client went away while it sent: there is nobody to answer.
      const beside = dialect.besides?.[path];
      if (beside !== undefined) return sendJson(response, 200, beside(parseJson(body)));
      const request = dialect.parse(parseJson(body));
      requestNumber = requests.push(request);
      const state = { requestNumber, requests, signal: signalOf(response) };
      send(response, dialect, { request, requestNumber }, await script.play(request, state));
    } catch (error) {
      const { code, message, cause } = faultOf(error);
      problems.push({
        code,
        message,
        ...(requestNumber !== undefined && { requestNumber }),
        ...(cause !== undefined && { cause }),
      });
      const status = code === "unknown_route" ? 404 : FAULT_STATUS;
      sendJson(response, status, dialect.error(status, `Scripted model: ${message}`));
    }
  }

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closed ??= new Promise((resolve) => {
      clearTimeout(lifetime);
      server.close(() => resolve());
      server.closeAllConnections();
    }));
  const lifetimeMs = options.lifetimeMs ?? LIFETIME_MS;
  const lifetime = setTimeout(() => {
    problems.push({ code: "lifetime_over", message: `The model was not closed within ${lifetimeMs} ms.` });
    void close();
  }, lifetimeMs).unref();

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}${dialect.basePath}`,
    requests,
    problems,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The path of a request that something answers to. */
function routeOf<Request>({ method, url }: IncomingMessage, { path, besides = {} }: Dialect<Request>): string {
  const { pathname } = new URL(url ?? "", `http://${LOOPBACK}`);
  const paths = [path, ...Object.keys(besides)];
  if (method !== "POST" || !paths.includes(pathname))
    throw new ScriptFault("unknown_route", `There is no ${method} ${pathname}, only POST ${paths.join(", ")}.`);
  return pathname;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new ScriptFault("bad_json", "The body of the request is not JSON.", { cause });
  }
}

/** Aborted when the connection ends before the answer does. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function faultOf(error: unknown): ScriptFault {
  if (error instanceof ScriptFault) return error;
  // Arguments that have no JSON form, a status that HTTP does not know: the step is at fault.
  return new ScriptFault("step_failed", `A step cannot be sent: ${String(error)}`, { cause: error });
}

function send<Request>(
  response: ServerResponse,
  dialect: Dialect<Request>,
  context: AnswerContext<Request>,
  reply: Reply,
): void {
  if (reply.kind === "error") return sendJson(response, reply.status, dialect.error(reply.status, reply.message));
  const streamed = dialect.wantsStream(context.request);
  if (reply.kind === "answer" && !streamed) return sendJson(response, 200, dialect.whole(reply.answer, context));

  // All is written out before the first byte goes, so that a fault still gets a status of its own.
  const records = streamed ? dialect.stream(reply.answer, context) : [];
  response.writeHead(200, {
    "content-type": streamed ? "text/event-stream" : "application/json",
    "cache-control": "no-cache",
  });
  response.flushHeaders();
  for (const record of records.slice(0, sentOf(reply))) response.write(record);
  if (reply.kind === "answer") response.end();
  if (reply.kind === "cut") response.socket?.destroySoon();
}

/** How many records of a stream are sent; all where it is `undefined`. */
function sentOf(reply: Exclude<Reply, { kind: "error" }>): number | undefined {
  if (reply.kind === "hang") return 1;
  return reply.kind === "cut" ? reply.cutAfter : undefined;
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
