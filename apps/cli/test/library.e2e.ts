import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";

const command = packedCommand();

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/** The example with which the specification of the library begins, word for word. */
const EXAMPLE = `import { createNotesStore, type NotesIdentity } from "notesoup/notes";

const identity: NotesIdentity = {
  home: "/path/to/notes", // explicit filesystem root
  sessionId: "my-session", // safe single directory component
  projectKey: "my-project-a1b2c3d4",
  agent: "my-agent", // canonical lowercase slug
  model: "my-model", // canonical lowercase slug
};

const notes = createNotesStore(identity);
await notes.write("@project/decisions.md", "Use a shared notes library.", { origin: "user" });
await notes.update("@project/decisions.md", [
  { oldText: "shared", newText: "host-independent" },
]);
const note = await notes.read("@project/decisions.md"); // body and metadata, or undefined
const files = await notes.list({ glob: "@project/**" });
const matches = await notes.search(["library"]);
`;

const STRICT = ["--strict", "--noEmit", "--target", "es2024", "--module", "nodenext", "--types", "node"];

/** Files of a consumer, in the folder in which the package is installed. */
async function consumer(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(command.folder(), name), text);
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: command.folder() });
  return stdout;
}

it("the example of the specification compiles as it is written, for a strict consumer, and runs", async () => {
  await consumer({
    "example.ts": EXAMPLE,
    // The same, in a home that exists, and with its values told.
    "run.ts": `${EXAMPLE.replace("/path/to/notes", join(command.folder(), "notes"))}
console.log(JSON.stringify([note?.body, files.length, matches[0]?.matches]));\n`,
  });
  const types = join(command.folder(), "node_modules", "@types");
  await mkdir(types, { recursive: true });
  await symlink(join(WORKSPACE, "node_modules", "@types", "node"), join(types, "node"));
  await run(process.execPath, [join(WORKSPACE, "node_modules", "typescript", "bin", "tsc"), ...STRICT, "example.ts"]);
  expect(JSON.parse(await run(process.execPath, ["run.ts"]))).toEqual([
    "Use a host-independent notes library.",
    1,
    [{ line: 1, text: "Use a host-independent notes library.", offsetChars: 29 }],
  ]);
});

it("notesoup/notes exports what the specification names, and loads no schema library, no host and no command", async () => {
  await consumer({
    "loads.js": `import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ resolve: (specifier, context, next) => (loaded.push(specifier), next(specifier, context)) });
const { default: _, ...exported } = await import("notesoup/notes");
const names = loaded.filter((name) => !/^(node:|\\.|file:)/.test(name));
console.log(JSON.stringify({ exported: Object.keys(exported).sort(), names: [...new Set(names)] }));\n`,
  });
  const { exported, names } = JSON.parse(await run(process.execPath, ["loads.js"])) as {
    readonly exported: readonly string[];
    readonly names: readonly string[];
  };
  expect(exported).toEqual(["NoteError", "createNotesStore", "projectKey", "slugify"]);
  expect(names).toContain("@notesoup/notes");
  for (const name of names) expect(name).not.toMatch(/typebox|commander|earendil|protocol|tools/u);
});

it("notesoup is the curated core, and brings no host", async () => {
  await consumer({
    "core.js": `import * as core from "notesoup"; import * as history from "notesoup/history";
import { NoteError } from "notesoup/notes";
console.log(JSON.stringify([core.NoteError === NoteError, Object.keys(core).sort(), typeof history.createHistoryCorpus]));\n`,
  });
  expect(JSON.parse(await run(process.execPath, ["core.js"]))).toEqual([
    true,
    [
      "NoteError",
      "closeOutText",
      "createNotesStore",
      "formatTokens",
      "historyList",
      "historyRead",
      "historyToolContext",
      "lastWordText",
      "notebookLoader",
      "notebookSessionId",
      "notesList",
      "notesRead",
      "notesSearch",
      "notesToolContext",
      "notesUpdate",
      "notesWrite",
      "preResetHint",
      "projectKey",
      "reminderText",
      "renderBoot",
      "resultOf",
      "slugify",
      "takeBootSnapshot",
    ],
    "function",
  ]);
  expect(await run("ls", ["node_modules"])).not.toContain("@earendil-works");
});
