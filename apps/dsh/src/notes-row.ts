import type { Context } from "@deepseek-ai/cordis";
import type { Agent, PreStepDecision } from "@deepseek-ai/dsh-agent";
import { createUserMessage, type UserMessage } from "@deepseek-ai/dsh-llm";
import type { PromptSection } from "@deepseek-ai/dsh-system-prompt";
import type { ToolDefinition } from "@deepseek-ai/dsh-tools";
import { announcement } from "./budget/announce.ts";
import { bootText } from "./boot.ts";
import { registerCommands } from "./commands.ts";
import { GUIDANCE } from "./guidance.ts";
import { type House, houseOf } from "./house.ts";
import { sourceOf } from "./marker.ts";
import { isIdle, Resets, type Step } from "./reset/resets.ts";
import { say } from "./say.ts";
import { withServices } from "./services.ts";
import { type DshSettings, settingsOf, whyNotWritable } from "./settings.ts";
import { emptyBrainTool } from "./tools/empty-brain.ts";
import { historyTools } from "./tools/history.ts";
import { notesTools } from "./tools/notes.ts";
import { remainingTool } from "./tools/remaining.ts";
import { currentWindow } from "./window.ts";

const ROW = "notesoup";

/** Behind the persona, and what the host itself says of its tools. */
const SECTION: PromptSection = { name: ROW, order: 150, text: GUIDANCE };

/** Starts the row `notesoup`: see `index.ts`. */
export function startNotes(host: Context, config: unknown): void {
  const { settings, warnings } = settingsOf(config);
  for (const warning of warnings) say(ROW, warning);
  const problem = whyNotWritable(settings.home);
  if (problem !== undefined) {
    say(
      ROW,
      `not loaded: the notes home ${settings.home} cannot be written (${problem}); set \`home\` of the row, or NOTESOUP_HOME, to a folder that can`,
    );
    return;
  }
  void withServices(ROW, host, ["tools", "systemPrompt", "sessions", "agents"], (ctx) =>
    new NotesRow(ctx, settings).start(),
  );
}

class NotesRow {
  readonly #ctx: Context;
  readonly #house: House;
  readonly #settings: DshSettings;
  readonly #resets: Resets;

  constructor(ctx: Context, settings: DshSettings) {
    this.#ctx = ctx;
    this.#house = houseOf(ctx);
    this.#settings = settings;
    this.#resets = new Resets(ROW, ctx, this.#house);
  }

  start(): void {
    const ctx = this.#ctx;
    ctx.effect(() => {
      this.#house.notes = this.#settings;
      return () => void (this.#house.notes = undefined);
    }, ROW);
    const tools: readonly ToolDefinition[] = [
      ...notesTools(this.#settings),
      ...historyTools(ctx),
      remainingTool(this.#house.meter),
      emptyBrainTool((agent) => this.#askByModel(agent)),
    ];
    for (const tool of tools) ctx.tools.register(tool);
    ctx.systemPrompt.section(SECTION);
    registerCommands(ctx, this.#house, this.#settings, this.#resets);
    ctx.on("agent/pre-step", (step, next) => this.#step(step, next));
    ctx.on("agent/turn-stopping", (turn) => this.#resets.atTurnEnd(turn));
  }

  #askByModel(agent: Agent): string | undefined {
    if (!this.#settings.enabled) return "notesoup is off: enabled is false in the configuration of its row";
    this.#resets.ask(agent);
    return undefined;
  }

  async #step(step: Step, next: () => Promise<PreStepDecision>): Promise<PreStepDecision> {
    const decision = await this.#resets.atStep(step, next);
    const { agent, signal } = step;
    if (decision.kind === "reject" || signal.aborted || isIdle(step) || !this.#settings.enabled) return decision;
    if (agent.session.header.origin === "subagent") return decision;
    const boot = await this.#missingBoot(agent);
    const notice = announcement(agent, this.#house, this.#settings);
    return {
      kind: "enter",
      messages: [
        ...(boot === undefined ? [] : [boot]),
        ...decision.messages,
        ...(notice === undefined ? [] : [notice]),
      ],
    };
  }

  /** The boot that the window does not have. A session goes on without one that cannot be made. */
  async #missingBoot(agent: Agent): Promise<UserMessage | undefined> {
    const { session } = agent;
    const { id: window, hasBoot } = currentWindow(session);
    if (hasBoot) return undefined;
    try {
      const text = await bootText(agent, this.#settings, { id: window, begins: "before" }, true);
      return createUserMessage({
        content: [{ type: "text", text }],
        source: sourceOf({ what: "boot", session: session.id, window }, "snapshot", ""),
      });
    } catch (error) {
      say(ROW, `this window has no boot: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
}
