import { asObject, asText, type JsonObject } from "../../json.ts";
import type { WireItem, WireMessage } from "../wire.ts";
import { blockText, contentBlocks, contentText, hasWords, isWords } from "./content.ts";
import { isToolResult, toolResult } from "./tool-result.ts";

/** How texts begin that the host writes in a person's place. */
const HOST_TEXTS = [
  "<local-command-caveat>",
  "<local-command-stdout>",
  "<local-command-stderr>",
  "<bash-stdout>",
  "<bash-stderr>",
  "<task-notification>",
  "<system-reminder>",
  "[Request interrupted by user",
];

/** The results of a user's row, and one message of its words, in the place of the first of them. */
export function userItems(row: JsonObject, id: string, time: number | null): readonly WireItem[] {
  const content = asObject(row.message)?.content;
  const blocks = contentBlocks(content);
  const isOnlyResult = blocks.filter(isToolResult).length === 1;
  const items: WireItem[] = [];
  let isSaid = false;
  for (const [index, block] of blocks.entries()) {
    if (isToolResult(block)) {
      items.push(toolResult(block, `${id}/${index}`, time, isOnlyResult ? row.toolUseResult : undefined));
    } else if (!isSaid && isWords(blockText(block))) {
      isSaid = true;
      items.push(message(row, blocks, time));
    }
  }
  return items;
}

/** A prompt that was queued while the model was at work, in the role of who has queued it. */
export function queuedPrompt(attachment: JsonObject, time: number | null): readonly WireMessage[] {
  const { prompt, commandMode, origin, isMeta } = attachment;
  const blocks = contentBlocks(prompt);
  if (!hasWords(blocks)) return [];
  const isPersons = isMeta !== true && commandMode !== "task-notification" && isOfPerson(origin, blocks);
  return [{ kind: "message", role: isPersons ? "user" : "context", time, text: () => contentText(prompt) }];
}

/** Whether a row says that the turn was cut off: it is the last of it. */
export function isInterruption({ type, message: said }: JsonObject): boolean {
  if (type !== "user") return false;
  return contentBlocks(asObject(said)?.content).some((block) =>
    asText(asObject(block)?.text)?.startsWith("[Request interrupted by user"),
  );
}

function message(row: JsonObject, blocks: readonly unknown[], time: number | null): WireMessage {
  // A person's prompt is a row of its own: what stands beside results was put there.
  const isPersons = !isInjected(row) && isOfPerson(row.origin, blocks) && !blocks.some(isToolResult);
  return { kind: "message", role: isPersons ? "user" : "context", time, text: () => contentText(blocks) };
}

function isInjected({ isMeta, isCompactSummary, isVisibleInTranscriptOnly }: JsonObject): boolean {
  return isMeta === true || isCompactSummary === true || isVisibleInTranscriptOnly === true;
}

function isOfPerson(origin: unknown, blocks: readonly unknown[]): boolean {
  const kind = asText(asObject(origin)?.kind);
  if (kind !== undefined && kind !== "human") return false;
  return blocks.some((block) => {
    const text = blockText(block);
    return isWords(text) && !HOST_TEXTS.some((start) => text.startsWith(start));
  });
}
