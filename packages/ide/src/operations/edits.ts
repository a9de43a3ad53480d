import { type Handle, Lines, Refusal, span, type TextPart } from "@notesoup/ide-registry";
import type { Answer } from "../answer.ts";
import { type Call, forEdit } from "../call.ts";
import { editText, requireNoLabel } from "../edit-answer.ts";
import { rangesToEdit } from "../ranges.ts";
import type { IdeArguments } from "../schemas.ts";
import type { Workbench } from "../workbench.ts";

/** Puts text in the place of each range. */
export async function replace(
  bench: Workbench,
  { path, find, text }: IdeArguments<"replace">,
  call: Call,
): Promise<Answer> {
  requireNoLabel(bench, text);
  const { handle, byReference } = await rangesToEdit(bench, call, path, find);
  return editText(bench, call, "replace", { edit: { kind: "splice", target: handle, text }, byReference });
}

/** Removes the text of each range. */
export async function deleteText(
  bench: Workbench,
  { path, find }: IdeArguments<"delete">,
  call: Call,
): Promise<Answer> {
  const { handle, byReference } = await rangesToEdit(bench, call, path, find);
  return editText(bench, call, "delete", { edit: { kind: "splice", target: handle, text: "" }, byReference });
}

/** Puts text before or after each range. */
export async function insert(bench: Workbench, args: IdeArguments<"insert">, call: Call): Promise<Answer> {
  requireNoLabel(bench, args.text);
  const { handle, byReference } = await rangesToEdit(bench, call, args.path, args.find);
  const { complete, parts } = await bench.store.use(handle, bench.owner, forEdit(call));
  if (!complete) {
    throw new Refusal(
      "incomplete",
      "the result does not hold all that was asked for",
      "insert at single items such as UUID#1",
    );
  }
  const texts: string[] = [];
  const positions = parts.map((part): TextPart => {
    const lines = new Lines(part.text);
    const spans = part.spans.map(({ start, end }) => {
      const at = args.where === "before" ? start : end;
      texts.push(withGap(part, lines, at, args));
      return span(at, at);
    });
    return { ...part, spans };
  });
  const target: Handle = bench.store.derive([handle], positions);
  return editText(bench, call, "insert", { edit: { kind: "splice", target, text: texts }, byReference });
}

/** The text with what sets it off from its neighbours: line ends as the line there has them. */
function withGap(part: TextPart, lines: Lines, at: number, { text, gap, where }: IdeArguments<"insert">): string {
  if (gap === undefined) return text;
  const { text: file } = part;
  const ending = lineEndAt(part, lines, at);
  const lead = at === 0 || isLineEnd(file[at - 1]) ? "" : ending;
  const isLast = at === file.length;
  const trail = isLineEnd(text.at(-1)) || (isLast && where === "after") || isLineEnd(file[at]) ? "" : ending;
  if (gap === "line") return `${lead}${text}${trail}`;
  return where === "before" ? `${lead}${text}${trail}${ending}` : `${lead}${ending}${text}${trail}`;
}

function isLineEnd(unit: string | undefined): boolean {
  return unit === "\n" || unit === "\r";
}

function lineEndAt({ snapshot, text }: TextPart, lines: Lines, at: number): string {
  switch (snapshot.eol) {
    case "crlf":
      return "\r\n";
    case "cr":
      return "\r";
    case "lf":
    case "none":
      return "\n";
    case "mixed": {
      const line = Math.min(lines.at(at).line, lines.count);
      const ending = text.slice(lines.content(line, line).end, lines.whole(line, line).end);
      return ending === "" ? "\n" : ending;
    }
  }
}
