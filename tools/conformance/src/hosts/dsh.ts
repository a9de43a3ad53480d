import { defaultHistoryRoots } from "@notesoup/history";
import { createDshSandbox, readSessionLogs, runHeadless, type SessionLog } from "@notesoup/host-dsh";
import { type ChatRequest, lastToolText, startDeepseekModel, type Step } from "@notesoup/scripted-model";
import { mustBeFlawless } from "../flawless.ts";
import {
  callId,
  DONE,
  type Host,
  LAST_STEP,
  PLAY_MS,
  PROMPT,
  type Protocol,
  stepsOf,
  textsOf,
  USAGE,
} from "../host.ts";
import { argumentsOf, type Row } from "../row.ts";
import { AGENT, putSessions, type World } from "../world.ts";

const PROTOCOL: Protocol<ChatRequest> = {
  call: (id, tool, args) => ({ id, name: tool, args }),
  resultIn: (request) => lastToolText(request) ?? "",
};

/** DeepSeek Harness, with the rows in its profile. It has structured results for scripts alone, and so plays twice. */
export const dsh: Host = {
  name: "DeepSeek Harness",
  app: "apps/dsh",
  async play(plugin, makeWorld, rows) {
    const direct = await playSteps(plugin, await makeWorld(), {}, stepsOf(rows, PROTOCOL));
    const texts = textsOf(rows, direct.requests, PROTOCOL);
    const batches = batchesOf(rows, texts);
    const scripted = await playSteps(plugin, await makeWorld(), SCRIPTS, [
      ...batches.map((batch) => scriptOf(batch, texts[0] ?? "")),
      LAST_STEP,
    ]);
    const values = batches.flatMap((_, index) => valuesIn(scripted.requests[index + 1]));
    const errors = errorsIn(direct.log);
    const results = rows.map(({ differs }, index) => ({
      text: texts[index] ?? "",
      isError: errors.has(callId(index)),
      // A call that a script makes is kept in the session as a part of the script.
      structured: differs.includes("toolNames") ? undefined : (values[index] ?? undefined),
    }));
    return { results, began: direct.began, sessions: [nameOf(direct.log), nameOf(scripted.log)], toolPrefix: "" };
  },
};

/** With scripts in place of the tools. Node warns of what they are made with. */
const SCRIPTS = { DSH_TOOLS_MODE: "code", NODE_NO_WARNINGS: "1" };

interface PlayedOnce {
  readonly requests: readonly ChatRequest[];
  readonly log: SessionLog;
  readonly began: number;
}

async function playSteps(
  plugin: string,
  world: World,
  env: Readonly<Record<string, string>>,
  steps: readonly Step<ChatRequest>[],
): Promise<PlayedOnce> {
  await using model = await startDeepseekModel({ steps });
  await using sandbox = await createDshSandbox({
    modelUrl: model.url,
    plugins: [plugin],
    patches: [{ id: "notesoup", config: { agent: AGENT } }],
    env: { NOTESOUP_HOME: world.notesHome, ...env },
  });
  await putSessions(world, defaultHistoryRoots(sandbox));
  const { code, stdout, stderr } = await runHeadless(sandbox, PROMPT, { cwd: world.cwd, timeoutMs: PLAY_MS });
  const strays = stdout === `${DONE}\n` ? "" : stdout;
  mustBeFlawless("DeepSeek Harness", { code, stderr: `${stderr}${strays}`, problems: model.problems });
  const log = (await readSessionLogs(sandbox)).find(({ header }) => header["cwd"] === world.cwd);
  if (log === undefined) throw new Error("DeepSeek Harness has kept no session.");
  return { requests: model.requests, log, began: world.made };
}

const nameOf = ({ header }: SessionLog): string => `dsh:${header.id}`;

/** What a script may print, in characters, so that the host does not put it into a file. */
const PRINTED_CHARS = 30_000;

/** Rows of which one script can print the values, which are about as long as the texts. */
function batchesOf(rows: readonly Row[], texts: readonly string[]): Row[][] {
  const batches: Row[][] = [];
  let room = 0;
  for (const [index, row] of rows.entries()) {
    const chars = 2 * (texts[index] ?? "").length;
    if (chars > room) {
      batches.push([]);
      room = PRINTED_CHARS;
    }
    batches.at(-1)?.push(row);
    room -= chars;
  }
  return batches;
}

/** A script that makes the calls of some rows, and prints what they resolve to; `null` for one that is rejected. */
function scriptOf(rows: readonly Row[], first: string): Step<ChatRequest> {
  const calls = rows.map((row) => [row.tool, argumentsOf(row, first)]);
  const code = `
    const values = [];
    for (const [tool, args] of ${JSON.stringify(calls)}) values.push(await tools[tool](args).catch(() => null));
    console.log("<values>" + JSON.stringify(values) + "</values>");
  `;
  return { toolCalls: [{ name: "run_code", args: { code, description: "Plays rows" } }], usage: USAGE };
}

/** What a script has printed. */
function valuesIn(request: ChatRequest | undefined): unknown[] {
  const text = request === undefined ? "" : PROTOCOL.resultIn(request);
  const json = /<values>(?<json>.*)<\/values>/su.exec(text)?.groups?.["json"];
  if (json === undefined) throw new Error(`A script has printed no values: ${text.slice(0, 500)}`);
  return JSON.parse(json) as unknown[];
}

/** The ids of the calls that the host has kept as failed. */
function errorsIn({ events }: SessionLog): Set<string> {
  const results = events.filter(({ type }) => type === "tool/result");
  const blocks = results.flatMap(({ data }) => (data?.["message"] as ResultMessage | undefined)?.content ?? []);
  return new Set(blocks.flatMap(({ toolCallId, isError }) => (isError ? [toolCallId] : [])));
}

interface ResultMessage {
  readonly content: readonly { readonly toolCallId: string; readonly isError: boolean }[];
}
