import { countdown, lastWordText, reminderText, type ResetToolNames } from "@notesoup/budget";
import { REMAINING_TOOL, toolName } from "../transport/tool-names.ts";
import type { Host, On } from "./host.ts";
import type { PluginSettings } from "./options.ts";
import { measure } from "./usage.ts";

/** The tools of which reminders speak. */
export const RESET_TOOLS: ResetToolNames = {
  remaining: toolName(REMAINING_TOOL),
  write: toolName("notes_write"),
  update: toolName("notes_update"),
};

/** Where it is kept what was said: a session that is continued is not told it again. */
const SAID = "said";
/** Windows come and go: of older ones nobody asks. */
const SAID_MAX = 200;

/** Tells the model beside the results of its tools when little is left: each line once a window. */
export function remind(on: On, settings: PluginSettings): void {
  on("classic.PostToolBatch", async ($, event, next) => {
    const answer = await next(event);
    // A subagent's window is its own, and ends with its task.
    if (event.agent_id !== undefined) return answer;
    const reminder = await dueReminder($, settings);
    return reminder === undefined
      ? answer
      : { ...answer, additionalContext: [...(answer.additionalContext ?? []), reminder] };
  });
}

async function dueReminder($: Host, settings: PluginSettings): Promise<string | undefined> {
  const usage = await measure($);
  const said = fingerprintsIn(await $.store.get(SAID));
  const { reminderMarginTokens, lastWordMarginTokens } = settings;
  // What is to be done at the last line is the host's to do: it compacts there.
  const due = countdown(said, { ...usage, reminderMarginTokens, lastWordMarginTokens, autoReset: false });
  if (due === null) return undefined;
  await $.store.set(SAID, [...said, due.fingerprint].slice(-SAID_MAX));
  const line = {
    remainingTokens: due.remainingTokens,
    tools: RESET_TOOLS,
    autoReset: settings.autoReset && usage.isCompacted,
  };
  return due.kind === "reminder" ? reminderText(line) : lastWordText(line);
}

function fingerprintsIn(kept: unknown): readonly string[] {
  return Array.isArray(kept) ? kept.filter((value) => typeof value === "string") : [];
}
