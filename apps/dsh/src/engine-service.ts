import type { Context } from "@deepseek-ai/cordis";
import type { Agent } from "@deepseek-ai/dsh-agent";
import {
  type CompactionAgentContext,
  CompactionEngine,
  type CompactionResult,
  type CompactionTrigger,
  type ManualCompactAgentContext,
  ManualCompactionError,
} from "@deepseek-ai/dsh-compaction";
import { CONTEXT_WINDOW_EXCEEDED_CODE } from "@deepseek-ai/dsh-llm";
import { remainingTokens } from "@notesoup/budget";
import { hasRoom } from "./budget/room.ts";
import type { House } from "./house.ts";
import { say } from "./say.ts";
import { repairBoundary } from "./reset/repair.ts";
import type { CommandId } from "./reset/boundary.ts";
import { isIdle } from "./reset/resets.ts";
import { reset } from "./reset/reset.ts";
import { hostsWords, runtimeContext, saidAgain, withRuntimeContext } from "./reset/runtime-context.ts";

const ROW = "notesoup-engine";

/** The host's compaction: it never sums up, and begins a new window with what is known. */
export class NotesoupEngine extends CompactionEngine {
  // Not a `#house`: the host hands a service out behind a proxy, which has no such thing.
  private readonly house: House;

  constructor(ctx: Context, house: House) {
    super(ctx);
    this.house = house;
    ctx.on("agent/pre-step", async ({ agent, signal, step, messages }, next) => {
      if (isIdle({ step, messages })) return next();
      const told = runtimeContext(agent.session);
      if (!signal.aborted) await this.atStep(agent, signal);
      const decision = await next();
      if (decision.kind === "reject" || signal.aborted) return decision;
      return withRuntimeContext(decision, agent.session, told);
    });
    ctx.on("agent/request-error", async ({ agent, failure, signal }, next) => {
      if (failure.code !== CONTEXT_WINDOW_EXCEEDED_CODE || signal.aborted) return next();
      const told = hostsWords(agent.session);
      const done = await this.tried(() => this.compactIfNeeded(agent, "context-overflow", signal));
      if (done === null || signal.aborted) return next();
      for (const message of told) agent.session.append("user/message", saidAgain(message), { surfaceOp: "append" });
      return { kind: "retry" };
    });
  }

  /** Empties a window that is full, or that the model has refused. The close-out of the row `notesoup` goes first where there is room for one. */
  override async compactIfNeeded(
    agent: CompactionAgentContext,
    trigger: CompactionTrigger,
    signal: AbortSignal,
  ): Promise<CompactionResult | null> {
    const owner = agent as Agent;
    if (trigger === "pressure" && !this.isFull(owner)) return null;
    return reset(this.ctx, this.house, owner, { by: "host", goesOn: true, signal });
  }

  /** A person's `/compact`. */
  override compactNow(
    agent: ManualCompactAgentContext,
    signal: AbortSignal,
    sourceCommandId?: CommandId,
  ): Promise<CompactionResult | null> {
    signal.throwIfAborted();
    try {
      return agent.runMaintenance((own) =>
        this.emptied(agent as Agent, AbortSignal.any([own, signal]), sourceCommandId),
      );
    } catch (cause) {
      throw new ManualCompactionError("busy", "the window can be emptied only while nobody works", { cause });
    }
  }

  private async emptied(
    agent: Agent,
    signal: AbortSignal,
    sourceCommandId?: CommandId,
  ): Promise<CompactionResult | null> {
    repairBoundary(agent);
    try {
      const done = await reset(this.ctx, this.house, agent, { by: "person", goesOn: false, sourceCommandId, signal });
      await this.ctx.sessions.flush(agent.session);
      return done;
    } catch (cause) {
      if (!signal.aborted) throw cause;
      throw new ManualCompactionError("cancelled", "the window was not emptied: that was stopped", { cause });
    }
  }

  /** @throws Error always: a window is emptied as a whole */
  override compactRegion(start: number, end: number): Promise<CompactionResult> {
    return Promise.reject(
      new Error(
        `row ${ROW}: it empties whole windows, and cannot compact from ${start} to ${end} alone; call compactNow`,
      ),
    );
  }

  private async atStep(agent: Agent, signal: AbortSignal): Promise<void> {
    // With the row `notesoup`, what a crash has cut is done anew there.
    if (this.house.notes === undefined && repairBoundary(agent) === "before the new window") {
      await this.tried(() => reset(this.ctx, this.house, agent, { by: "host", goesOn: true }));
      return;
    }
    await this.tried(() => this.compactIfNeeded(agent, "pressure", signal));
  }

  /** What goes wrong is told, and the session goes on as it is. */
  private async tried(work: () => Promise<CompactionResult | null>): Promise<CompactionResult | null> {
    try {
      return await work();
    } catch (error) {
      say(ROW, `the window was not emptied: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  private isFull(agent: Agent): boolean {
    const usage = this.house.meter.measure(agent);
    if (!hasRoom(agent, usage)) return false;
    // Half of the reserve is for the close-out, and the answer to it.
    const reserveTokens = this.hasCloseOuts(agent) ? Math.floor(usage.reserveTokens / 2) : usage.reserveTokens;
    return remainingTokens({ ...usage, reserveTokens }) === 0;
  }

  private hasCloseOuts({ session }: Agent): boolean {
    const { notes } = this.house;
    return notes?.enabled === true && notes.autoReset && session.header.origin !== "subagent";
  }
}
