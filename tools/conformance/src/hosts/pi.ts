import { defaultHistoryRoots } from "@notesoup/history";
import { createPiSandbox, readSessions, type RpcRecord, startPiRpc } from "@notesoup/host-pi";
import { type ChatRequest, lastToolText, startScriptedModel } from "@notesoup/scripted-model";
import { mustBeFlawless } from "../flawless.ts";
import { callId, type Host, PLAY_MS, PROMPT, type Protocol, stepsOf, textsOf } from "../host.ts";
import { AGENT, MODEL, putSessions } from "../world.ts";

const PROTOCOL: Protocol<ChatRequest> = {
  call: (id, tool, args) => ({ id, name: tool, args }),
  resultIn: (request) => lastToolText(request) ?? "",
};

/** Pi, with the extension for this run. */
export const pi: Host = {
  name: "Pi",
  app: "apps/pi",
  async play(extension, makeWorld, rows) {
    const world = await makeWorld();
    await using model = await startScriptedModel({ steps: stepsOf(rows, PROTOCOL) });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      models: [{ id: MODEL }],
      settings: { notesoup: { agent: AGENT } },
      env: { NOTESOUP_HOME: world.notesHome },
    });
    await putSessions(world, defaultHistoryRoots(sandbox));
    await using session = await startPiRpc(sandbox, { cwd: world.cwd, args: ["-e", extension] });
    const { events } = await session.prompt(PROMPT, { timeoutMs: PLAY_MS });
    mustBeFlawless("Pi", { code: await session.close(), stderr: session.stderr, problems: model.problems });

    const ends = new Map(events.filter(isToolEnd).map((event) => [event.toolCallId, event]));
    const results = textsOf(rows, model.requests, PROTOCOL).map((text, index) => {
      const end = ends.get(callId(index));
      return { text, isError: end?.isError === true, structured: end?.result.structuredContent };
    });
    const live = (await readSessions(sandbox)).find(({ header }) => header["cwd"] === world.cwd);
    return { results, began: world.made, sessions: [`pi:${live?.header.id}`], toolPrefix: "" };
  },
};

/** What Pi tells of a call that is over. */
interface ToolEnd extends RpcRecord {
  readonly toolCallId: string;
  readonly isError: boolean;
  readonly result: { readonly structuredContent?: unknown };
}

const isToolEnd = (event: RpcRecord): event is ToolEnd => event.type === "tool_execution_end";
