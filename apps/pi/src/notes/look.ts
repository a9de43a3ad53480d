import type { AgentToolResult, Theme, ToolDefinition } from "@earendil-works/pi-coding-agent";
import { type Component, Text } from "@earendil-works/pi-tui";

const COLLAPSED_LINES = 10;

type RenderResult = NonNullable<ToolDefinition["renderResult"]>;
/** What a renderer is told beside the result; of it, only this is used. */
type ResultContext = Pick<Parameters<RenderResult>[3], "isError" | "keyHint">;

/** A call on the screen: the tool's name and the address. */
export function callLook(toolName: string, address: string | undefined, theme: Theme): Component {
  return new Text(
    `${theme.fg("toolTitle", theme.bold(toolName))} ${theme.fg("accent", printable(address ?? "…"))}`,
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
  const lines = printable(result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n")).split(
    "\n",
  );
  const shown = expanded ? lines : lines.slice(0, COLLAPSED_LINES);
  const hidden = lines.length - shown.length;
  const more =
    hidden === 0
      ? ""
      : `\n${theme.fg("muted", `… ${hidden} more ${hidden === 1 ? "line" : "lines"}`)} ${keyHint("app.tools.expand", "to expand")}`;
  return new Text(`${theme.fg(isError ? "error" : "toolOutput", shown.join("\n"))}${more}`, 0, 0);
}

/** A note can hold anything; what would steer the terminal is shown as a mark. */
function printable(text: string): string {
  return text.replace(/\r\n/gu, "\n").replace(/(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "�");
}
