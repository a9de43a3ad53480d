import { defaultHistoryRoots } from "@notesoup/history";
import { createClaudeSandbox, installPlugins, startConversation, toolResults } from "@notesoup/host-claude";
import { lastToolResults, type MessagesRequest, startMessagesModel } from "@notesoup/scripted-model";
import { mustBeFlawless } from "../flawless.ts";
import { callId, type Host, PLAY_MS, PROMPT, type Protocol, stepsOf, textsOf } from "../host.ts";
import { AGENT, MODEL, putSessions } from "../world.ts";

const TOOL_PREFIX = "mcp__notesoup__";

const PROTOCOL: Protocol<MessagesRequest> = {
  call: (id, tool, args) => ({ id, name: `${TOOL_PREFIX}${tool}`, args }),
  resultIn: (request) =>
    lastToolResults(request)
      .map(({ text }) => text)
      .join("\n"),
};

/** What Claude Code says of a model that is not its maker's. Here the model has one name in every host. */
const UNKNOWN_MODEL = /^\[claude-code:unrecognized_model\] .*\n/mu;

/** Claude Code, with the plugin installed as a user does. It has no structured results. */
export const claude: Host = {
  name: "Claude Code",
  app: "apps/claude",
  async play(plugin, makeWorld, rows) {
    const world = await makeWorld();
    await using model = await startMessagesModel({ steps: stepsOf(rows, PROTOCOL) });
    await using sandbox = await createClaudeSandbox({
      modelUrl: model.url,
      env: { NOTESOUP_HOME: world.notesHome },
    });
    await installPlugins(sandbox, plugin, { args: ["--config", `agent=${AGENT}`] });
    await putSessions(world, defaultHistoryRoots(sandbox));
    await using conversation = await startConversation(sandbox, { cwd: world.cwd, args: ["--model", MODEL] });
    const { result, rows: told } = await conversation.prompt(PROMPT, { timeoutMs: PLAY_MS });
    const code = await conversation.close();
    const stderr = conversation.stderr.replace(UNKNOWN_MODEL, "");
    mustBeFlawless("Claude Code", { code, stderr, problems: model.problems });

    const errors = new Set(toolResults(told).flatMap(({ id, isError }) => (isError === true ? [id] : [])));
    const results = textsOf(rows, model.requests, PROTOCOL).map((text, index) => ({
      text,
      isError: errors.has(callId(index)),
    }));
    return { results, began: world.made, sessions: [`claude:${result.session_id}`], toolPrefix: TOOL_PREFIX };
  },
};
