import { type Command, Option } from "commander";
import { withExample } from "../example.ts";
import { uninterrupted } from "../interrupt.ts";
import { textOf } from "../standard-input.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { requireOwner } from "./identity.ts";

/** Who a content can come from. */
const ORIGINS = ["self", "user", "external"];

/** The flag that says where a content comes from. */
export function originOption(): Option {
  return new Option("--origin <who>", "who the content comes from; an existing note keeps its own").choices(ORIGINS);
}

interface WriteFlags extends NotesFlags {
  readonly origin?: string;
}

/** `notesoup notes write`. */
export function addWrite(notes: Command): void {
  const write = notes
    .command("write")
    .description("write a note whole; one that exists is replaced, and its metadata stay")
    .argument("<address>", "the note")
    .argument("<content>", "the whole body; - for standard input")
    .addOption(originOption())
    .action(async (address: string, content: string, { origin, ...flags }: WriteFlags) => {
      requireOwner(address, flags);
      const text = await textOf(content);
      const { deliver, operations } = await import("./operations.ts");
      await uninterrupted(async () =>
        deliver(await operations.write({ address, content: text, origin }, flags), flags),
      );
    });
  withExample(
    withNotesFlags(write),
    'notesoup notes write @project/decisions.md "Notes are plain markdown files." --origin user',
  );
}
