import type { Agent } from "@deepseek-ai/dsh-agent";
import { createUserMessage, type UserMessage } from "@deepseek-ai/dsh-llm";
import { type Announcement, countdown, lastWordText, reminderText } from "@notesoup/budget";
import type { House } from "../house.ts";
import { sourceOf } from "../marker.ts";
import { closeOutMessage } from "../reset/resets.ts";
import type { DshSettings } from "../settings.ts";
import { RESET_TOOLS } from "../tool-names.ts";
import { currentWindow } from "../window.ts";
import { hasRoom } from "./room.ts";

/** What is to be said of the tokens that are left, before a step; nothing where it was said, or nobody knows. */
export function announcement(agent: Agent, house: House, settings: DshSettings): UserMessage | undefined {
  const { said, closeOut } = currentWindow(agent.session);
  if (closeOut !== undefined) return undefined;
  const usage = house.meter.measure(agent);
  // Without the engine the host decides what is dropped, and when.
  const autoReset = settings.autoReset && house.engine !== undefined;
  const { reminderMarginTokens, lastWordMarginTokens } = settings;
  const due = countdown(said, { ...usage, reminderMarginTokens, lastWordMarginTokens, autoReset });
  if (due === null) return undefined;
  if (due.kind !== "reset") return noticeOf(agent, due, autoReset);
  const { remainingTokens, fingerprint } = due;
  return hasRoom(agent, usage) ? closeOutMessage(agent, remainingTokens, { by: "budget", fingerprint }) : undefined;
}

function noticeOf(
  { session }: Agent,
  { kind, remainingTokens, fingerprint }: Announcement,
  autoReset: boolean,
): UserMessage {
  const write = kind === "reminder" ? reminderText : lastWordText;
  return createUserMessage({
    content: [{ type: "text", text: write({ remainingTokens, tools: RESET_TOOLS, autoReset }) }],
    source: sourceOf({ what: "notice", session: session.id, fingerprint }, "notice", `${remainingTokens} tokens left`),
  });
}
