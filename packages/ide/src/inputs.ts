import { type Handle, type LookOptions, Refusal, type Resolved, span, type TextPart } from "@notesoup/ide-registry";
import type { Call } from "./call.ts";
import type { Workbench } from "./workbench.ts";

/** What an input of a tool leads to. */
export type Input =
  | { readonly as: "path"; readonly path: string }
  | { readonly as: "handle"; readonly handle: Handle; readonly id: string }
  | { readonly as: "resource"; readonly kind: string; readonly path: string };

/** What an input leads to. A reference to an edit that waits has it saved first. Lines are counted as `look` says: in the file as it is, or as it was. */
export async function resolveInput(
  bench: Workbench,
  call: Call,
  input: string,
  look: LookOptions = { signal: call.signal },
): Promise<Input> {
  const resolved: Resolved = bench.results.resolve(input, bench.owner);
  switch (resolved.as) {
    case "path":
      return resolved;
    case "resource":
      return { as: "resource", kind: resolved.kind, path: resolved.resource };
    case "source": {
      const { handle, id, selection } = resolved;
      if (bench.store.state(handle) === "pending") await call.scope.boundary();
      const picked = selection === undefined ? handle : await bench.store.pick(handle, bench.owner, selection, look);
      return { as: "handle", handle: picked, id };
    }
  }
}

/** A file's whole text for an edit, in hold: within a message, as it was before the message. */
export async function captureForEdit(
  bench: Workbench,
  call: Call,
  path: string,
): Promise<{ readonly handle: Handle; readonly part: TextPart }> {
  const { key } = await bench.store.locate(path, call.cwd);
  const base = await call.scope.batch.base(key, call.signal);
  if (base === undefined) return captureWhole(bench, call, path);
  const part: TextPart = { ...base, spans: [span(0, base.text.length)] };
  return { handle: bench.store.hold(bench.owner, [part], { complete: true }), part };
}

/** A file's whole text, in hold. */
export async function captureWhole(
  bench: Workbench,
  call: Call,
  path: string,
): Promise<{ readonly handle: Handle; readonly part: TextPart }> {
  const { snapshot, text } = await bench.store.capture(path, call.cwd, bench.owner, call.signal);
  const part: TextPart = { snapshot, text, spans: [span(0, text.length)] };
  return { handle: bench.store.hold(bench.owner, [part], { complete: true }), part };
}

/** A result that names something which is no text. */
export function notEditable(kind: string): Refusal {
  switch (kind) {
    case "not-utf8":
      return new Refusal("not_utf8", "the file is not valid UTF-8", "convert it to UTF-8 to edit it");
    case "large":
      return new Refusal("too_large", "the file is too large to be edited", "edit it with a command of the system");
    default:
      return new Refusal(
        "wrong_kind",
        `a result of this kind (${kind}) holds no text to work on`,
        "read a text file, or pass its path",
      );
  }
}
