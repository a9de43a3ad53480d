import { mkdtemp, readdir, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPiSandbox, installPi, packPackage } from "@notesoup/host-pi";
import { startScriptedModel } from "@notesoup/scripted-model";
import { page } from "./page.ts";
import { play } from "./play.ts";
import { STORY } from "./story.ts";

const EXTENSION_PACKAGE = fileURLToPath(new URL("../../../apps/pi", import.meta.url));

// What the tour makes stays, to be looked at; each tour has a folder of its own and removes nothing.
const root = await realpath(await mkdtemp(join(tmpdir(), "notesoup-tour-")));
const { version } = await installPi();
const extension = await packPackage(EXTENSION_PACKAGE, join(root, "extension"));

page.text(`notesoup in a real Pi ${version}. The model is a script on this machine (127.0.0.1): no key, no network.`);
await using model = await startScriptedModel({ steps: STORY.flatMap(({ steps }) => steps) });
await using sandbox = await createPiSandbox({ modelUrl: model.url, root });
for (const chapter of STORY) await play(chapter, sandbox, extension);
if (model.problems.length > 0)
  throw new Error(`The scripted model met problems: ${JSON.stringify(model.problems, null, 2)}`);

page.heading("On disk: a markdown file that you can read and edit");
for (const file of await filesIn(sandbox.notesHome)) {
  page.text(`${file}\n`);
  page.text((await readFile(file, "utf8")).trimEnd());
}

page.text(`\nAll that this tour made is in ${root}; remove it when you have seen it.`);

page.heading("In your own Pi");
page.text(`pi install ${EXTENSION_PACKAGE}`);
page.text(
  "\nNotes go to ~/.agents/notes, or to $NOTESOUP_HOME. `pi remove` with the same path takes it back; the notes stay.",
);

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
