import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { NotesReadResult } from "@notesoup/protocol";
import type { Answer } from "@notesoup/tools";
import { uninterrupted } from "../interrupt.ts";
import { Refused } from "../refused.ts";
import { decoded } from "../standard-input.ts";
import { editorOf, openInEditor } from "./editor.ts";
import type { NotesFlags } from "./flags.ts";
import { deliver, operations, readWhole } from "./operations.ts";
import { say, sayJson } from "../output.ts";

/**
 * Opens a note in the person's editor and writes back what they made of it. What others wrote in the
 * meantime is never replaced: then nothing is changed, and the edited text stays in a file that is named.
 *
 * @throws Refused `no_editor`, `editor_failed`, `not_utf8`, `changed`
 */
export async function editNote(address: string, flags: NotesFlags): Promise<void> {
  const editor = editorOf(process.env);
  if (editor === undefined) throw new Refused("no_editor", "set VISUAL or EDITOR to the editor that you use");
  const read = await readWhole(address, flags);
  if (isRefusalOtherThanMissing(read)) {
    deliver(read, flags);
    return;
  }
  const before = bodyOf(read);

  const folder = await mkdtemp(join(tmpdir(), "notesoup-edit-"));
  const file = join(folder, fileName(address));
  let isToBeKept = false;
  try {
    await writeFile(file, before ?? "", { mode: 0o600 });
    const failure = await openInEditor(editor, file);
    const edited = await readFile(file).catch(() => undefined);
    const after = edited === undefined ? undefined : decoded(edited);
    const isChanged = after !== (before ?? "");
    isToBeKept = edited !== undefined && isChanged;
    if (failure !== undefined)
      throw new Refused("editor_failed", `the editor ${editor} failed: ${failure}${isToBeKept ? whereIs(file) : ""}`);
    if (edited === undefined)
      throw new Refused("editor_failed", `the editor ${editor} left no file behind; nothing was written`);
    if (after === undefined)
      throw new Refused("not_utf8", `the edited text is not UTF-8; nothing was written${whereIs(file)}`);
    if (!isChanged) return unchanged(address, flags);
    isToBeKept = !(await uninterrupted(() => writeBack(address, before, after, file, flags)));
  } finally {
    if (!isToBeKept) await rm(folder, { recursive: true, force: true });
  }
}

function whereIs(file: string): string {
  return `; the edited text is in ${file}`;
}

function bodyOf({ outcome }: Answer<NotesReadResult>): string | undefined {
  return outcome.ok ? outcome.data.text : undefined;
}

function isRefusalOtherThanMissing({ outcome }: Answer<NotesReadResult>): boolean {
  return !outcome.ok && outcome.error.code !== "not_found";
}

/** An editor knows by the ending what it edits. */
function fileName(address: string): string {
  const name = basename(address).replaceAll(/[^\w.-]/gu, "_");
  return name.endsWith(".md") ? name : `${name}.md`;
}

function unchanged(address: string, { json }: NotesFlags): void {
  if (json === true) sayJson({ address, change: "none" });
  else say(`unchanged ${address}`);
}

/**
 * Writes the edited text where the note is still what it was. An edit of the whole body is refused by
 * the store where the body is another by then, so that no change gets lost between looking and writing.
 *
 * @returns whether it was written
 * @throws Refused `changed`
 */
async function writeBack(
  address: string,
  before: string | undefined,
  after: string,
  file: string,
  flags: NotesFlags,
): Promise<boolean> {
  const now = await readWhole(address, flags);
  if (isRefusalOtherThanMissing(now)) return told(now, file, flags);
  if (bodyOf(now) !== before) throw changed(address, file);
  // An empty body has no text that could be replaced.
  if (before === undefined || before === "")
    return told(await operations.write({ address, content: after }, flags), file, flags);
  const edits = [{ old_text: before, new_text: after }];
  const updated = await operations.update({ address, edits }, flags);
  if (!updated.outcome.ok && ["no_match", "not_found"].includes(updated.outcome.error.code))
    throw changed(address, file);
  return told(updated, file, flags);
}

function changed(address: string, file: string): Refused {
  return new Refused(
    "changed",
    `${address} was changed by somebody else meanwhile; nothing was written${whereIs(file)}`,
  );
}

/** Delivers an answer, and with a refusal where the edited text is. */
function told(answer: Answer<unknown>, file: string, flags: NotesFlags): boolean {
  const { outcome, text } = answer;
  if (outcome.ok) {
    deliver(answer, flags);
    return true;
  }
  const { code, message } = outcome.error;
  const where = whereIs(file);
  deliver({ outcome: { ok: false, error: { code, message: message + where } }, text: text + where }, flags);
  return false;
}
