import type { Attachment, AttachmentText, ContextBlocks, Host, Next, On } from "./host.ts";
import type { PluginSettings } from "./options.ts";
import { bootOfWindow } from "./window.ts";

/** The name over the boot, as the model reads it. */
const BLOCK = "notesoup";

/** The boots that the host was given last: this window's, and the one before it. */
let given: readonly string[] = [];

/** Puts the boot at the head of each window. Subagents begin with their task alone. */
export function bootWindows(on: On, settings: PluginSettings): void {
  on("prompt.context", async ($, context, next) => withBoot($, await next(context), settings));
  on("prompt.attachment", { type: "context_sections" }, ($, attachment, next) =>
    withBootOfNow($, attachment, next, settings),
  );
}

async function withBoot($: Host, context: ContextBlocks, settings: PluginSettings): Promise<ContextBlocks> {
  const boot = await bootOfWindow($, settings);
  if (boot === undefined) return context;
  if (given.at(-1) !== boot.text) given = [...given.slice(-1), boot.text];
  return { ...context, blocks: [...context.blocks, { name: BLOCK, text: boot.text }] };
}

/**
 * What the host says of its context in a request. It takes that once a turn, and says it again behind
 * a compaction in the middle of one: there the boot of the window before stands, and this window's is
 * put in its place. A subagent is told the same as its session; from that the boot is taken out.
 */
async function withBootOfNow(
  $: Host,
  attachment: Attachment,
  next: Next<Attachment, AttachmentText>,
  settings: PluginSettings,
): Promise<AttachmentText> {
  const { text } = await next(attachment);
  const boot = text === null ? undefined : given.find((known) => text.includes(known));
  if (text === null || boot === undefined) return { text };
  if (attachment.agentId !== undefined) return { text: without(text, boot) };
  const now = await bootOfWindow($, settings);
  return { text: now === undefined ? text : text.replace(boot, () => now.text) };
}

/** The text without the boot; `null` where nothing else is told in it. */
function without(text: string, boot: string): string | null {
  const rest = text.replace(`# ${BLOCK}\n${boot}`, "").trim();
  return /^# /mu.test(rest) ? rest : null;
}
