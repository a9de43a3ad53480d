import { type PiRpc, type PiSandbox, type RpcRecord, startPiRpc } from "@notesoup/host-pi";
import { page } from "./page.ts";
import type { Chapter } from "./story.ts";

/**
 * Plays one chapter in a Pi of its own and prints its steps.
 *
 * @param extension folder of the packed extension
 * @throws Error where Pi writes to standard error
 */
export async function play({ title, prompt }: Chapter, sandbox: PiSandbox, extension: string): Promise<void> {
  page.heading(title);
  page.step("you", prompt);
  const pi = await startPiRpc(sandbox, { args: ["-e", extension] });
  const { events } = await pi.prompt(prompt);
  for (const event of events) show(event);
  await endCleanly(pi);
}

function show(event: RpcRecord): void {
  switch (event.type) {
    case "tool_execution_start":
      page.step("calls", `${String(event["toolName"])} ${JSON.stringify(event["args"], null, 2)}`);
      break;
    case "tool_execution_end": {
      const { content, details } = event["result"] as {
        readonly content?: unknown;
        readonly details?: { diff?: string };
      };
      page.step("result", shortened(textIn(content)));
      if (details?.diff !== undefined) page.step("diff", details.diff);
      break;
    }
    case "message_end": {
      const { role, content } = event["message"] as { readonly role: string; readonly content?: unknown };
      const text = textIn(content);
      if (role === "assistant" && text !== "") page.step("agent", text);
      break;
    }
    // What is put at the end of a turn: a reminder, or the end of a window and the beginning of the next.
    case "entry_appended": {
      const { type, content, summary } = event["entry"] as {
        readonly type: string;
        readonly content?: string;
        readonly summary?: string;
      };
      if (type === "compaction") page.step("window", summary ?? "");
      if (type === "custom_message") page.step("notesoup", shortened(content ?? ""));
      break;
    }
  }
}

/** Lines of a result that are shown at its beginning, and at its end. */
const SHOWN_LINES = 6;

function shortened(text: string): string {
  const lines = text.trimEnd().split("\n");
  const hidden = lines.length - 2 * SHOWN_LINES;
  if (hidden <= 1) return text;
  return [...lines.slice(0, SHOWN_LINES), `… ${hidden} more lines …`, ...lines.slice(-SHOWN_LINES)].join("\n");
}

/** The text blocks of a message or a result. */
function textIn(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content.map((block: { readonly text?: string }) => block.text ?? "").join("");
}

async function endCleanly(pi: PiRpc): Promise<void> {
  const code = await pi.close();
  if (code !== 0 || pi.stderr !== "") throw new Error(`Pi ended with ${code}:\n${pi.stderr}`);
}
