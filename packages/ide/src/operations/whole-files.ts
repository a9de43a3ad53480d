import { lstat, rm, unlink } from "node:fs/promises";
import {
  type FileEffect,
  type Handle,
  Refusal,
  type SavedFiles,
  shownName,
  type FileChange,
  type SourceKey,
} from "@notesoup/ide-registry";
import type { Answer } from "../answer.ts";
import type { Call } from "../call.ts";
import { editText, fileStates, requireNoLabel } from "../edit-answer.ts";
import { captureForEdit, captureWhole, notEditable, resolveInput } from "../inputs.ts";
import { rangesToEdit } from "../ranges.ts";
import type { EditReceipt, IdeArguments } from "../schemas.ts";
import { failureOf, processFile } from "../scope.ts";
import type { Workbench } from "../workbench.ts";

/** Saves whole files at once. @throws Refusal where they are not all saved */
async function save(bench: Workbench, call: Call, changes: readonly FileChange[]): Promise<SavedFiles> {
  const saved = await bench.store.save(bench.owner, call.cwd, changes, {
    signal: call.signal,
    saved: (change) => bench.undo.add(change),
  });
  call.scope.wrote(saved.files);
  if (saved.files.some(({ reason }) => reason !== undefined)) throw failureOf(saved);
  return saved;
}

function effectOf(files: readonly FileEffect[]): "applied" | "not-applied" {
  return files.some(({ effect }) => effect === "applied") ? "applied" : "not-applied";
}

interface FileAnswer {
  readonly tool: EditReceipt["operation"];
  readonly files: readonly FileEffect[];
  readonly handle: Handle | undefined;
  readonly body: string;
}

function fileAnswer({ tool, files, handle, body }: FileAnswer): Answer {
  const effect = effectOf(files);
  return {
    tool,
    kind: tool === "delete" ? "deletion" : "edit",
    facts: { state: effect, src: files[0]?.shown ?? "" },
    body,
    record: { operation: tool, effect, files: fileStates(files), ...(handle === undefined ? {} : { selection: true }) },
    handle,
  };
}

/** Writes a whole file, has it processed, and stands for what came of it. */
export async function write(bench: Workbench, { path, content }: IdeArguments<"write">, call: Call): Promise<Answer> {
  if (!content.isWellFormed()) {
    throw new Refusal("ill_formed_text", "the content holds half a character", "give it with whole characters");
  }
  requireNoLabel(bench, content);
  await call.scope.boundary();
  const target = await wholeFile(bench, call, path);
  const { files, handles } = await save(bench, call, [
    { path: target.path, to: Buffer.from(content), expect: target.expect },
  ]);
  const [file] = files;
  if (file === undefined) throw new Error("a file was saved and not told of");
  const lines = file.effect === "applied" ? await processFile(bench, file, call.signal) : [];
  call.scope.processed(file.key);
  const [saved] = handles;
  const handle =
    saved !== undefined && bench.store.state(saved) === "live"
      ? saved
      : (await captureWhole(bench, call, target.path)).handle;
  const what = file.effect === "not-applied" ? "unchanged" : file.before === "missing" ? "created" : "written";
  return fileAnswer({ tool: "write", files, handle, body: [`${file.shown}: ${what}`, ...lines].join("\n") });
}

async function wholeFile(bench: Workbench, call: Call, path: string): Promise<Pick<FileChange, "path" | "expect">> {
  const input = await resolveInput(bench, call, path);
  if (input.as === "path") return { path: input.path };
  if (input.as === "resource") throw notEditable(input.kind);
  const { parts } = await bench.store.use(input.handle, bench.owner, { signal: call.signal });
  const [part] = parts;
  const [only] = part?.spans ?? [];
  if (
    part === undefined ||
    parts.length > 1 ||
    part.spans.length !== 1 ||
    only?.start !== 0 ||
    only.end !== part.text.length
  ) {
    throw new Refusal(
      "outside_scope",
      "the result holds a part, and a whole file would be written",
      "use replace, or pass the path",
    );
  }
  return { path: part.snapshot.name, expect: part.snapshot };
}

/** Removes a file, or a folder with all that is in it. */
export async function deleteFile(
  bench: Workbench,
  { recursive = false }: IdeArguments<"delete">,
  path: string,
  call: Call,
): Promise<Answer> {
  await call.scope.boundary();
  const { name, key } = await bench.store.locate(path, call.cwd);
  const shown = shownName(name, bench.owner.root);
  const found = await lstat(name).catch(() => undefined);
  if (found === undefined) throw new Refusal("not_found", `there is no ${shown}`, "look for it with search");
  if (found.isDirectory()) {
    if (!recursive)
      throw new Refusal("needs_recursive", `${shown} is a folder`, "say recursive to remove it with all that is in it");
    await rm(name, { recursive: true });
    await bench.store.observe();
    return removed(shown, "removed with all that was in it");
  }
  if (found.isSymbolicLink()) {
    // The link is what was named, not the file that it leads to.
    await unlink(name);
    await bench.store.observe([key]);
    return removed(shown, "removed; it was a link, and what it led to is still there");
  }
  const { files } = await save(bench, call, [{ path, to: undefined }]);
  return fileAnswer({ tool: "delete", files, handle: undefined, body: `${shown}: removed` });
}

function removed(shown: string, what: string): Answer {
  const file: FileEffect = { key: "" as SourceKey, shown, effect: "applied", before: "missing", after: "missing" };
  const answer = fileAnswer({ tool: "delete", files: [file], handle: undefined, body: `${shown}: ${what}` });
  return {
    ...answer,
    record: { operation: "delete", effect: "applied", files: [{ path: shown, before: "unknown", after: "missing" }] },
  };
}

/** Copies or moves text to where a reference, or a text to find, says; or a whole file to another path. */
export async function transfer(
  bench: Workbench,
  tool: "copy" | "move",
  args: IdeArguments<"copy">,
  call: Call,
): Promise<Answer> {
  const { path, find, to, toFind } = args;
  const [from, destination] = [bench.results.resolve(path, bench.owner), bench.results.resolve(to, bench.owner)];
  if (destination.as === "path" && toFind === undefined) {
    const isFile = find === undefined && (from.as === "path" || from.as === "resource");
    if (!isFile) {
      throw new Refusal(
        "invalid_arguments",
        "a path alone is no place for a part of a file",
        "give toFind with it, or pass a result",
      );
    }
    return transferFile(
      bench,
      tool,
      {
        from: from.as === "path" ? from.path : from.resource,
        to: destination.path,
        overwrite: args.overwrite === true,
      },
      call,
    );
  }
  const source =
    from.as === "path" && find === undefined
      ? { handle: (await captureForEdit(bench, call, from.path)).handle, byReference: false }
      : await rangesToEdit(bench, call, path, find);
  const target = await rangesToEdit(bench, call, to, toFind);
  return editText(bench, call, tool, {
    edit: { kind: "transfer", source: source.handle, to: target.handle, remove: tool === "move" },
    byReference: target.byReference,
  });
}

async function transferFile(
  bench: Workbench,
  tool: "copy" | "move",
  { from, to, overwrite }: { readonly from: string; readonly to: string; readonly overwrite: boolean },
  call: Call,
): Promise<Answer> {
  await call.scope.boundary();
  const [source, target] = [await bench.store.locate(from, call.cwd), await bench.store.locate(to, call.cwd)];
  const [shownSource, shownTarget] = [source, target].map(({ name }) => shownName(name, bench.owner.root));
  const mark = source.exists ? await bench.disk.mark(source.key) : "missing";
  if (mark === "missing") throw new Refusal("not_found", `there is no ${shownSource}`, "look for it with search");
  if (mark.kind !== "file")
    throw new Refusal("wrong_kind", `${shownSource} is no file`, `${tool} its files one by one`);
  if (target.exists && !overwrite) {
    throw new Refusal("destination_exists", `${shownTarget} is there already`, "say overwrite, or choose another path");
  }
  const bytes = await bench.disk.read(source.key, call.signal);
  const { files, handles } = await save(bench, call, [
    { path: to, to: bytes, mode: mark.mode, ...(target.exists ? {} : { expect: "missing" as const }) },
    ...(tool === "move" ? [{ path: from, to: undefined, expect: bench.disk.digest(bytes) }] : []),
  ]);
  return fileAnswer({
    tool,
    files,
    handle: handles[0],
    body: `${shownSource}: ${tool === "move" ? "moved" : "copied"} to ${shownTarget}`,
  });
}

/** Gives a file back what it held before its last change. */
export async function undo(
  bench: Workbench,
  { path, change = "last" }: IdeArguments<"undo">,
  call: Call,
): Promise<Answer> {
  await call.scope.boundary();
  const { key, name } = await fileOf(bench, call, path);
  const shown = shownName(name, bench.owner.root);
  const image = bench.undo.last(key);
  if (image === undefined)
    throw new Refusal("not_found", `no change of ${shown} is remembered`, "restore it by other means");
  if (change !== "last") {
    const edit = bench.results.resolve(change, bench.owner);
    if (edit.as !== "source" || !image.results.includes(edit.handle)) {
      throw new Refusal(
        "changed_since",
        `${shown} was changed after that edit, or not by it`,
        'undo the "last" change first',
      );
    }
  }
  const now = await bench.store
    .locate(name, call.cwd)
    .then(({ exists }) => (exists ? bench.disk.read(key) : undefined));
  const { after } = image;
  if (after === "unknown" || (now === undefined ? "missing" : bench.disk.digest(now)) !== after) {
    bench.undo.drop(key);
    throw new Refusal("changed_since", `${shown} changed since that edit`, "restore it by other means");
  }
  const to = image.before === "missing" ? undefined : image.before;
  const saved = await bench.store.save(bench.owner, call.cwd, [{ path: key, to, expect: after, mode: image.mode }], {
    signal: call.signal,
  });
  if (saved.files.some(({ reason }) => reason !== undefined)) throw failureOf(saved);
  bench.undo.drop(image);
  return fileAnswer({
    tool: "undo",
    files: saved.files,
    handle: saved.handles[0],
    body: `${shown}: ${to === undefined ? "removed again" : "as before"}`,
  });
}

async function fileOf(
  bench: Workbench,
  call: Call,
  path: string,
): Promise<{ readonly key: SourceKey; readonly name: string }> {
  const input = await resolveInput(bench, call, path);
  if (input.as !== "handle") return bench.store.locate(input.path, call.cwd);
  const { parts } = await bench.store.use(input.handle, bench.owner, { signal: call.signal });
  const [part] = parts;
  if (part === undefined || parts.length > 1) {
    throw new Refusal("invalid_range", "the result has several files, or none", "name one file");
  }
  return part.snapshot;
}
