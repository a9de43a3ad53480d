// A row of dsh that is driven by lines of JSON: a person at a keyboard, for tests. It is copied into
// a profile, where its imports are the host's own packages.
import { createInterface } from "node:readline";
import type { Context } from "@deepseek-ai/cordis";
import type { Agent, AgentHandle } from "@deepseek-ai/dsh-agent";
import type { AgentDefaultModelConfig } from "@deepseek-ai/dsh-agent-default-model";
import type { CommandRuntime } from "@deepseek-ai/dsh-commands";
import { CallId, createUserMessage } from "@deepseek-ai/dsh-llm";
import { SessionId } from "@deepseek-ai/dsh-session";
import type { ToolRuntime } from "@deepseek-ai/dsh-tools";
import type { DriverAnswer, DriverCommand, TurnOutcome } from "./commands.ts";

export const name = "driver";
export const inject = ["agents", "sessions", "agentDefaultModel", "commands", "tools"];

export function apply(ctx: Context): void {
  void new Driver(ctx).run();
}

class Driver {
  readonly #ctx: Context;
  #handle: AgentHandle | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async run(): Promise<void> {
    const loader = this.#ctx.get("loader" as never) as { await(): Promise<void> } | undefined;
    await loader?.await();
    const lines = createInterface({ input: process.stdin });
    write({ id: 0 });
    for await (const line of lines) {
      const { id, ...command } = JSON.parse(line) as DriverCommand & { readonly id: number };
      // What waits must not keep what would end the waiting: a cancellation, say.
      void this.#do(command as DriverCommand).then(
        (result) => write({ id, result }),
        (error: unknown) =>
          write({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
    }
    await this.#handle?.dispose();
    const exit = this.#ctx.get("appExit" as never) as ((code: number) => void) | undefined;
    exit?.(0);
  }

  async #do(command: DriverCommand): Promise<unknown> {
    const { agents } = this.#ctx;
    switch (command.do) {
      case "create": {
        const { session, cwd, preset } = command;
        this.#handle = await agents.create({
          sessionId: SessionId(session),
          meta: { ...(cwd !== undefined && { cwd }), ...(preset !== undefined && { agentPreset: preset }) },
          agentOptions: this.#model(),
        });
        return null;
      }
      case "resume":
        this.#handle = await agents.resume({
          resumeSessionId: SessionId(command.session),
          agentOptions: this.#model(),
        });
        await this.#agent.whenIdle();
        return null;
      case "fork":
        return this.#fork(command.session, command.turns);
      case "prompt":
        this.#say(command.text);
        return this.#outcome();
      case "begin":
        this.#say(command.text);
        return null;
      case "call": {
        const tools: ToolRuntime = this.#ctx.tools;
        const { signal } = new AbortController();
        return tools.execute({ callId: CallId("call-of-nobody"), name: command.tool, arguments: command.args, signal });
      }
      case "idle":
        return this.#outcome();
      case "command": {
        const commands: CommandRuntime = this.#ctx.commands;
        const done = await commands.execute(this.#agent, command.line, [], new AbortController().signal);
        await this.#outcome();
        return done?.result ?? null;
      }
      case "cancel":
        this.#agent.cancel({ kind: "user" });
        return null;
      case "services":
        return command.names.filter((service) => this.#ctx.get(service as never) !== undefined);
      case "dispose":
        await this.#handle?.dispose();
        this.#handle = undefined;
        return null;
    }
  }

  get #agent(): Agent {
    if (this.#handle === undefined) throw new Error("There is no session.");
    return this.#handle.agent;
  }

  #model(): { provider: string; model: string } {
    const models: AgentDefaultModelConfig = this.#ctx.agentDefaultModel;
    const { provider, model } = models.currentSelection();
    return { provider, model };
  }

  async #fork(session: string, turns: number): Promise<null> {
    const parent = this.#agent.session;
    const boundary = parent.events.filter(({ type }) => type === "turn/end")[turns - 1]?.seq;
    if (boundary === undefined) throw new Error(`There is no end of turn ${turns}.`);
    const before = this.#handle;
    this.#handle = await this.#ctx.agents.create({
      sessionId: SessionId(session),
      seed: parent.events.slice(0, boundary + 1),
      meta: {
        ...(parent.header.cwd !== undefined && { cwd: parent.header.cwd }),
        parentSession: parent.id,
        seedLength: boundary + 1,
      },
      agentOptions: this.#model(),
    });
    await before?.dispose();
    return null;
  }

  #say(text: string): void {
    this.#agent.followup(createUserMessage({ content: [{ type: "text", text }], source: { kind: "user" } }));
  }

  async #outcome(): Promise<TurnOutcome> {
    const { session } = this.#agent;
    await this.#agent.whenIdle();
    await this.#ctx.sessions.flush(session);
    const answer = session.events.findLast((event) => event.type === "assistant/message");
    const end = session.events.findLast(({ type }) => type === "turn/start" || type === "turn/end");
    return {
      text:
        answer?.type === "assistant/message"
          ? answer.data.message.content.map((block) => (block.type === "text" ? block.text : "")).join("")
          : "",
      reason: end?.type === "turn/end" ? end.data.reason.kind : "none",
    };
  }
}

function write(answer: DriverAnswer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
