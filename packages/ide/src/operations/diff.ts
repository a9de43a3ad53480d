import { Refusal, shownName } from "@notesoup/ide-registry";
import type { Answer } from "../answer.ts";
import type { Call } from "../call.ts";
import { captureWhole, notEditable, resolveInput } from "../inputs.ts";
import type { IdeArguments } from "../schemas.ts";
import { diffTexts } from "../text-diff.ts";
import type { Workbench } from "../workbench.ts";

type Side = IdeArguments<"diff">["before"];

/** Compares two texts. The answer is a view: nothing can be done with it. */
export async function diff(bench: Workbench, { before, after }: IdeArguments<"diff">, call: Call): Promise<Answer> {
  await call.scope.boundary();
  const [old, now] = [await sideOf(bench, call, before, "before"), await sideOf(bench, call, after, "after")];
  const names = { before: old.name, after: now.name };
  const found = diffTexts(names, old.text, now.text, bench.limits.viewBytes);
  const counts = found === undefined ? {} : { added: found.added, removed: found.removed };
  return {
    tool: "diff",
    kind: "diff",
    facts: { ...names, ...counts, ...(found?.cut === false ? {} : { cut: "yes" }) },
    body: found === undefined ? "the texts differ in too many lines to show" : found.text || "the texts are equal",
    record: { ...names, ...counts },
  };
}

async function sideOf(
  bench: Workbench,
  call: Call,
  side: Side,
  which: string,
): Promise<{ readonly name: string; readonly text: string }> {
  if (typeof side !== "string") return { name: which, text: side.text };
  const input = await resolveInput(bench, call, side);
  if (input.as === "resource") throw notEditable(input.kind);
  if (input.as === "path") {
    const { part } = await captureWhole(bench, call, input.path);
    return { name: shownName(part.snapshot.name, bench.owner.root), text: part.text };
  }
  const { parts } = await bench.store.use(input.handle, bench.owner, { signal: call.signal });
  const [part] = parts;
  if (part === undefined || parts.length > 1) {
    throw new Refusal(
      "invalid_range",
      "the result has several files, or none",
      "compare one item of it, such as UUID#1",
    );
  }
  const text = part.spans.map(({ start, end }) => part.text.slice(start, end)).join("\n");
  return { name: shownName(part.snapshot.name, bench.owner.root), text };
}
