import type { Command } from "commander";
import { withExample } from "../example.ts";
import { uninterrupted } from "../interrupt.ts";
import { repeated } from "../option-values.ts";
import { WrongUse } from "../refused.ts";
import { textOf } from "../standard-input.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { requireOwner } from "./identity.ts";
import { originOption } from "./write.ts";

interface UpdateFlags extends NotesFlags {
  readonly old?: readonly string[];
  readonly new?: readonly string[];
  readonly replaceAll?: boolean;
  readonly origin?: string;
}

/** `notesoup notes update`. */
export function addUpdate(notes: Command): void {
  const update = notes
    .command("update")
    .description("replace text in a note, or say who it comes from; all of it happens, or none")
    .argument("<address>", "the note")
    .option("--old <text>", "text that is in the body once; - for standard input", repeated)
    .option(
      "--new <text>",
      "what takes its place; - for standard input. Give further pairs for further edits",
      repeated,
    )
    .option("--replace-all", "replace every match of each --old")
    .addOption(originOption())
    .action(async (address: string, flags: UpdateFlags) => {
      requireOwner(address, flags);
      const { old = [], new: replacements = [], replaceAll, origin, ...rest } = flags;
      const edits = await pairs(old, replacements);
      const { deliver, operations } = await import("./operations.ts");
      await uninterrupted(async () =>
        deliver(await operations.update({ address, edits, replace_all: replaceAll, origin }, rest), rest),
      );
    });
  withExample(
    withNotesFlags(update),
    'notesoup notes update @project/decisions.md --old "plain markdown" --new "plain markdown, UTF-8"',
  );
}

/** @throws WrongUse */
async function pairs(
  old: readonly string[],
  replacements: readonly string[],
): Promise<readonly { readonly old_text: string; readonly new_text: string }[] | undefined> {
  if (old.length !== replacements.length)
    throw new WrongUse(
      `--old was given ${old.length} times and --new ${replacements.length} times; give them in pairs`,
    );
  if ([...old, ...replacements].filter((value) => value === "-").length > 1)
    throw new WrongUse("standard input can be read once: give - for one --old or --new only");
  const edits = [];
  for (const [index, text] of old.entries())
    edits.push({ old_text: await textOf(text), new_text: await textOf(replacements[index] ?? "") });
  return edits.length === 0 ? undefined : edits;
}
