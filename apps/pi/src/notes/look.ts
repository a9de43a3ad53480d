import type { AgentToolResult, Theme, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { type Component, Text } from "@earendil-works/pi-tui";
import { printable } from "@notesoup/text";

const COLLAPSED_LINES = 10;

type RenderResult = NonNullable<ToolDefinition["renderResult"]>;
/** What a renderer is told beside the result; of it, only this is used. */
type ResultContext = Pick<Parameters<RenderResult>[3], "isError" | "keyHint">;

/** A call on the screen: the tool's name and the address, which is not there yet, or no text, while a model is writing it. */
export function callLook(toolName: string, address: unknown, theme: Theme): Component {
  return new Text(
    `${theme.fg("toolTitle", theme.bold(toolName))} ${theme.fg("accent", printable(typeof address === "string" ? address : "…"))}`,
    0,
    0,
  );
}

/** A result on the screen: its text, the first lines of it until it is expanded. */
export function resultLook(
  result: AgentToolResult<unknown>,
  { expanded }: { readonly expanded: boolean },
  theme: Theme,
  { isError, keyHint }: ResultContext,
): Component {
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  const lines = printable(text).trimEnd().split("\n");
  const shown = expanded ? lines : lines.slice(0, COLLAPSED_LINES);
  const hidden = lines.length - shown.length;
  const more =
    hidden === 0
      ? ""
      : `\n${theme.fg("muted", `… ${hidden} more ${hidden === 1 ? "line" : "lines"}`)} ${keyHint("app.tools.expand", "to expand")}`;
  return new Text(`${theme.fg(isError ? "error" : "toolOutput", shown.join("\n"))}${more}`, 0, 0);
}
