import { closeOutText, remainingTokens } from "@notesoup/budget";
import { toolName } from "../transport/tool-names.ts";
import type { Compacted, Compaction, CompletedTurn, Host, HostMessage, Next, On } from "./host.ts";
import type { PluginSettings } from "./options.ts";
import { RESET_TOOLS } from "./reminders.ts";
import { tellPerson } from "./tell-person.ts";
import { passOn } from "./pass-on.ts";
import { measure } from "./usage.ts";
import { beginWindow, leaveWindow } from "./window.ts";

/** The skill with which a person asks for an empty window, as the host names it. */
const EMPTY_BRAIN = "notesoup:empty-brain";

/** Where a person's request stands: the model writes its notes, or the window is being emptied. */
let asked: { readonly sessionId: string; readonly phase: "closing" | "emptying" } | undefined;

/** Makes a window end with a boot, and not with a summary: each compaction, and where a person asks for it. */
export function resetWindows(on: On, settings: PluginSettings): void {
  on("session.compact", ($, compaction, next) => compacted($, compaction, next, settings)).catch(passOn);
  on("skill.prompt", { skill: EMPTY_BRAIN }, async ($, prompt, next) => {
    await next(prompt);
    return { text: await openCloseOut($) };
  });
  on("turn.complete", async ($, turn, next) => {
    const result = await next(turn);
    await endCloseOut($, turn);
    return result;
  });
}

async function compacted(
  $: Host,
  compaction: Compaction,
  next: Next<Compaction, Compacted>,
  settings: PluginSettings,
): Promise<Compacted> {
  // A subagent is told by nobody what it was about but by its own summary.
  if (compaction.agentId !== undefined) return next(compaction);
  const isAsked = asked?.phase === "emptying" && asked.sessionId === (await $.session.id());
  if (!settings.autoReset && !isAsked) return toHost(compaction, next);
  if (compaction.trigger === "precompute") return { skip: "notesoup begins the next window without a summary" };
  const boot = await beginWindow($, settings);
  if (boot === undefined) {
    tellPerson($, "what the next window begins with could not be made, so Claude Code sums this one up");
    return toHost(compaction, next);
  }
  // The host keeps what it has announced for a turn: it is to ask again.
  $.ui.invalidate("prompt.context");
  const unanswered = unansweredPrompt(compaction);
  const text = openingText(compaction, unanswered === undefined ? boot.lastPromptSeq : null);
  return { messages: [{ role: "user", text, toolUses: [] }, ...(unanswered === undefined ? [] : [unanswered])] };
}

function toHost(compaction: Compaction, next: Next<Compaction, Compacted>): Promise<Compacted> {
  if (compaction.trigger !== "precompute") leaveWindow();
  return next(compaction);
}

/** What a person has said last where nothing was done about it yet: it is of the window that begins. */
function unansweredPrompt({ trigger, messages }: Compaction): HostMessage | undefined {
  const last = messages.at(-1);
  if (trigger !== "auto" || last?.role !== "user" || last.text === "") return undefined;
  return (last.toolResults ?? []).length === 0 ? last : undefined;
}

/** What the window begins with behind its boot: the host takes no conversation without a message. */
function openingText({ trigger, instructions }: Compaction, taskSeq: number | null): string {
  const history = toolName("history_read");
  return [
    "The context window before this one was emptied; what was said in it is in the history.",
    ...(trigger === "auto" && taskSeq !== null
      ? [
          `It ended in the middle of work. Go on with that: what a person said last is ${history} ${JSON.stringify({ seq: taskSeq })}, and what was done about it came after it.`,
        ]
      : []),
    ...(instructions === undefined || instructions.trim() === ""
      ? []
      : [`A person said when it was emptied: ${instructions.trim()}`]),
  ].join(" ");
}

async function openCloseOut($: Host): Promise<string> {
  asked = { sessionId: await $.session.id(), phase: "closing" };
  return closeOutText({ tools: RESET_TOOLS, askedBy: "person", remainingTokens: remainingTokens(await measure($)) });
}

/** Empties the window once the model has written its notes. To stop it is not to agree. */
async function endCloseOut($: Host, turn: CompletedTurn): Promise<void> {
  if (turn.agentId !== undefined || asked?.phase !== "closing") return;
  const { sessionId } = asked;
  asked = undefined;
  if (sessionId !== (await $.session.id())) return;
  if (turn.isAborted || turn.reason !== "answer") {
    tellPerson($, "the turn did not come to its end, so the window was not emptied");
    return withdraw($);
  }
  // The host compacts between turns, and this one is over only when this hook is.
  asked = { sessionId, phase: "emptying" };
  void emptyWindow($);
}

/** The model was told that this is its last turn in the window. */
async function withdraw($: Host): Promise<void> {
  const text =
    "The request to empty this context window was taken back: the window goes on, and nothing is to be done.";
  await $.session.append({ message: { type: "user", content: [{ type: "text", text }] } });
}

async function emptyWindow($: Host): Promise<void> {
  try {
    await compact($);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tellPerson($, `this Claude Code cannot empty its window, and nothing was changed: ${why}`);
    await withdraw($);
  } finally {
    asked = undefined;
  }
}

/** A session without a screen refuses a plugin's compaction, and takes a command for one. */
async function compact($: Host): Promise<void> {
  try {
    await $.session.compact({});
  } catch {
    await $.command.run({ command: "compact" });
  }
}
