import { type AgentToolResult, renderDiff, type Theme, type ToolDefinition } from "@earendil-works/pi-coding-agent";
import { type Component, Text } from "@earendil-works/pi-tui";
import { printable } from "@notesoup/text";
import type { NotesDetails } from "./tool-result.ts";

const COLLAPSED_LINES = 10;

type RenderResult = NonNullable<ToolDefinition["renderResult"]>;
/** What a renderer is told beside the result; of it, only this is used. */
type ResultContext = Pick<Parameters<RenderResult>[3], "isError" | "keyHint">;

/** A call on the screen: the tool's name and what it is about, which is not there yet, or no text, while a model is writing it. */
export function callLook(toolName: string, subject: unknown, theme: Theme): Component {
  const title = theme.fg("toolTitle", theme.bold(toolName));
  return new Text(`${title} ${theme.fg("accent", printable(typeof subject === "string" ? subject : "…"))}`, 0, 0);
}

/** A result on the screen: its text, and an update's diff in Pi's own look; the first lines of it until it is expanded. */
export function resultLook(
  result: AgentToolResult<NotesDetails | undefined>,
  { expanded }: { readonly expanded: boolean },
  theme: Theme,
  { isError, keyHint }: ResultContext,
): Component {
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  // A call that failed before the tool ran has details of Pi's own.
  const diff = result.details?.diff;
  const lines = [
    ...linesOf(text).map((line) => theme.fg(isError ? "error" : "toolOutput", line)),
    ...(diff === undefined ? [] : renderDiff(linesOf(diff).join("\n")).split("\n")),
  ];
  const shown = expanded ? lines : lines.slice(0, COLLAPSED_LINES);
  const hidden = lines.length - shown.length;
  const more = theme.fg("muted", `… ${hidden} more ${hidden === 1 ? "line" : "lines"}`);
  return new Text(
    [...shown, ...(hidden === 0 ? [] : [`${more} ${keyHint("app.tools.expand", "to expand")}`])].join("\n"),
    0,
    0,
  );
}

function linesOf(text: string): string[] {
  return printable(text).trimEnd().split("\n");
}
