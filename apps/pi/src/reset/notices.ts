import type { ContextEvent, ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import {
  type Announcement,
  closeOutText,
  countdown,
  lastWordText,
  reminderText,
  remainingTokens,
  withdrawnCloseOutText,
} from "@notesoup/budget";
import type { UsageMeter } from "../budget/usage.ts";
import { currentSettings } from "../settings.ts";
import { RESET_TOOLS } from "../tool-names.ts";
import { NOTICE_TYPE, type NoticeDetails } from "../window.ts";
import type { Asker } from "./state.ts";

type Message = ContextEvent["messages"][number];

/** Something that the model is told, that no person sees, and that the session remembers to have told. */
export interface Notice {
  readonly customType: typeof NOTICE_TYPE;
  readonly content: string;
  readonly display: false;
  readonly details: NoticeDetails;
}

/** Not a line of the countdown, and so never taken for said: a close-out that was stopped comes again. */
const CLOSE_OUT = "close-out";

/** What is to be said or done about how full the window is. */
export function announce(
  pi: ExtensionAPI,
  ctx: ExtensionContext,
  meter: UsageMeter,
  said: ReadonlySet<string>,
): Announcement | null {
  const { reminderMarginTokens, lastWordMarginTokens, autoReset } = currentSettings(pi);
  return countdown([...said], { ...meter.measure(ctx), reminderMarginTokens, lastWordMarginTokens, autoReset });
}

/** What is said when a line is crossed. */
export function lineNotice(pi: ExtensionAPI, { kind, remainingTokens: left, fingerprint }: Announcement): Notice {
  const line = { remainingTokens: left, tools: RESET_TOOLS, autoReset: currentSettings(pi).autoReset };
  return notice(kind === "reminder" ? reminderText(line) : lastWordText(line), fingerprint);
}

/** What opens a close-out. */
export function closeOutNotice(ctx: ExtensionContext, meter: UsageMeter, by: Asker): Notice {
  const askedBy = by === "budget" ? "budget" : "person";
  const left = remainingTokens(meter.measure(ctx));
  return notice(closeOutText({ tools: RESET_TOOLS, askedBy, remainingTokens: left }), CLOSE_OUT);
}

function notice(content: string, fingerprint: string): Notice {
  return { customType: NOTICE_TYPE, content, display: false, details: { fingerprint } };
}

/**
 * Takes back what close-outs have asked for that are over, in the messages of a request: they are a
 * copy, and Pi leaves its own among them in their places where the list itself is not changed.
 *
 * @param isClosing whether the last of them is under way
 */
export function takeBack(messages: readonly Message[], isClosing: boolean): void {
  const closeOuts = messages.filter(isCloseOut);
  for (const closeOut of isClosing ? closeOuts.slice(0, -1) : closeOuts) closeOut.content = withdrawnCloseOutText();
}

function isCloseOut(message: Message): message is Extract<Message, { role: "custom" }> {
  if (message.role !== "custom" || message.customType !== NOTICE_TYPE) return false;
  const { details } = message;
  return (
    typeof details === "object" && details !== null && "fingerprint" in details && details.fingerprint === CLOSE_OUT
  );
}
