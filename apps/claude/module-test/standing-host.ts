import type { On } from "claude-code/testing";

/** What the host beneath the plugin says, and what its helper answers. */
export interface StandingHost {
  /** Answers what is posted to the helper that stays; absent where none can stay. */
  readonly stays?: (request: { readonly kind: string; readonly tool?: string }, helper: number) => unknown;
  /** Answers a request of the helper. */
  readonly helper: (request: { readonly kind: string; readonly tool?: string }) => unknown;
  /** What a helper says on standard error, and ends; it answers if absent. */
  readonly crash?: string;
  /** How many tokens the last answer was given over. */
  readonly tokens?: number;
}

/** A helper's answer that a tool has succeeded or refused. */
export function outcome(value: unknown): object {
  return { kind: "outcome", outcome: value };
}

/**
 * Stands for the host: a session whose helper is this function. The helper that stays cannot be
 * started here, so that each request has one of its own.
 *
 * @returns the requests that the helper was given
 */
export function standFor(on: On, host: StandingHost): readonly Record<string, unknown>[] {
  const requests: Record<string, unknown>[] = [];
  const value =
    (answer: unknown): (() => { value: unknown }) =>
    () => ({ value: answer });
  on("session.id", value("s1"));
  on("session.root", value("/project"));
  on("session.cwd", value("/project/elsewhere"));
  on("session.model", value("some-model"));
  on(
    "session.info",
    value({ transcriptPath: "/transcripts/s1.jsonl", platform: host.stays === undefined ? "windows" : "linux" }),
  );
  on("session.messages", value([{ role: "user", text: "hi", toolUses: [], uuid: "row-1" }]));
  on("session.machine", value({ runtimes: ["node"] }));
  // Asked anew each time: it grows.
  on("session.usage", () => {
    const breakdown = { rawMaxTokens: 200_000, autoCompactThreshold: 167_000, isAutoCompactEnabled: true };
    return { value: { context: { tokens: host.tokens, window: 200_000, breakdown } } };
  });
  on("session.start", (_$: unknown, event: { cwd: string }) => ({ cwd: event.cwd }));
  on("tool.register", value(undefined));
  on("ui.invalidate", value(undefined));
  on("classic.PostToolBatch", () => ({}));
  const kept = new Map<string, unknown>();
  on("store.get", (_$: unknown, event: { key: string }) => ({ value: kept.get(event.key) }));
  on("store.set", (_$: unknown, event: { key: string; value: unknown }) => {
    kept.set(event.key, event.value);
    return { value: undefined };
  });
  const whole = { isStdoutTruncated: false, isStderrTruncated: false };
  on("process.run", (_$: unknown, event: { init: { stdin: string } }) => {
    const request = JSON.parse(event.init.stdin) as Record<string, unknown> & { kind: string };
    requests.push(request);
    if (host.crash !== undefined) return { value: { exitCode: 1, stdout: "", stderr: host.crash, ...whole } };
    const stdout = `noise\n\u001e${JSON.stringify(host.helper(request))}\nmore noise\n`;
    return { value: { exitCode: 0, stdout, stderr: "", ...whole } };
  });
  if (host.stays !== undefined) stay(on, host.stays);
  return requests;
}

/** Each helper that is started listens at a place of its own; only the last one is there. */
function stay(on: On, answer: NonNullable<StandingHost["stays"]>): void {
  let started = 0;
  on("process.spawn", async function* helperThatStays() {
    yield { stream: "stdout", text: 'noise\n\u001e{"sock' };
    yield { stream: "stderr", text: '\u001e{"socket":"/not/this"}\n' };
    yield { stream: "stdout", text: `et":"/run/s${++started}"}\n` };
    await new Promise(() => {});
  });
  on("http.fetch", (_$: unknown, event: { init: { socketPath: string; body: string } }) => {
    if (event.init.socketPath !== `/run/s${started}`) throw new Error("nobody listens there");
    const text = JSON.stringify(answer(JSON.parse(event.init.body) as { kind: string }, started));
    return { value: { status: 200, ok: true, headers: {}, text } };
  });
}
