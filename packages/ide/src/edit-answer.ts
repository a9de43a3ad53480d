import type { Edit, FileEffect } from "@notesoup/ide-registry";
import { Refusal } from "@notesoup/ide-registry";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import type { EditReceipt } from "./schemas.ts";
import type { EditOutcome, SavedFile } from "./scope.ts";
import { shownName } from "@notesoup/ide-registry";
import type { Workbench } from "./workbench.ts";

type TextEditTool = "replace" | "insert" | "delete" | "copy" | "move";

/** Makes an edit of text, and answers with its receipt. A deletion stands for no text. */
export async function editText(
  bench: Workbench,
  call: Call,
  tool: TextEditTool,
  { edit, byReference }: { readonly edit: Edit; readonly byReference: boolean },
): Promise<Answer> {
  const outcome = await call.scope.edit(edit, { byReference }, call.signal);
  const { accepted, saved } = outcome;
  const handle = tool === "delete" ? undefined : accepted.result;
  const names = accepted.files.map((key) => shownName(key, bench.owner.root));
  const ranges = `${accepted.ranges} ${accepted.ranges === 1 ? "range" : "ranges"}`;
  const where = names.length === 0 ? "" : ` in ${names.join(", ")}`;
  return {
    tool,
    kind: tool === "delete" ? "deletion" : "edit",
    facts: { state: saved === undefined ? "accepted" : saved.effect },
    body:
      saved === undefined
        ? `${ranges}${where} accepted, not saved yet`
        : [
            `${ranges}${where}: ${countsOf(saved.effect, saved.written)}`,
            ...saved.written.flatMap(({ diff }) => diff?.text.trimEnd() ?? []),
          ].join("\n"),
    record: receipt(tool, outcome, { names, hasSelection: handle !== undefined }),
    handle,
  };
}

function countsOf(effect: string, written: readonly SavedFile[]): string {
  if (written.length === 0) return effect === "not-applied" ? "nothing to change" : effect;
  const diffs = written.flatMap(({ diff }) => diff ?? []);
  if (diffs.length < written.length) return `${effect}, too many lines to count`;
  const sum = (side: "added" | "removed"): number => diffs.reduce((total, diff) => total + diff[side], 0);
  return `${effect}, +${sum("added")} -${sum("removed")}`;
}

function receipt(
  operation: TextEditTool,
  { accepted, saved }: EditOutcome,
  { names, hasSelection }: { readonly names: readonly string[]; readonly hasSelection: boolean },
): EditReceipt {
  return {
    operation,
    effect: saved?.effect ?? "accepted",
    files:
      (saved?.files ?? []).length > 0
        ? fileStates(saved?.files ?? [])
        : names.map((path) => ({ path, before: "unknown", after: "unknown" })),
    ranges: accepted.ranges,
    ...(hasSelection ? { selection: true } : {}),
  };
}

/** What became of files, as a record tells it. */
export function fileStates(files: readonly FileEffect[]): EditReceipt["files"] {
  return files.map(({ shown, before, after }) => ({ path: shown, before, after }));
}

/**
 * A text that goes into a file must not hold the label of a result.
 *
 * @throws Refusal `label_in_text`
 */
export function requireNoLabel(bench: Workbench, text: string): void {
  const id = bench.results.containsLabel(text);
  if (id !== undefined) {
    throw new Refusal(
      "label_in_text",
      `the text holds the label of the result ${id}`,
      "leave its first line out, or copy the result with copy",
    );
  }
}
