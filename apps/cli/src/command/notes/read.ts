import type { Command } from "commander";
import { withExample } from "../example.ts";
import { wholeNumber } from "../option-values.ts";
import { type NotesFlags, withNotesFlags } from "./flags.ts";
import { requireOwner } from "./identity.ts";

interface ReadFlags extends NotesFlags {
  readonly body?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

/** `notesoup notes read`. */
export function addRead(notes: Command): void {
  const read = notes
    .command("read")
    .description("print a note to its end, or a part of it")
    .argument("<address>", "the note")
    .option("--body", "print the body alone, as it is")
    .option("--offset <chars>", "begin there, and print one part; negative: at the tail", wholeNumber)
    .option("--limit <chars>", "print one part of at most so many characters", wholeNumber)
    .action(async (address: string, { body, offset, limit, ...flags }: ReadFlags) => {
      requireOwner(address, flags);
      const { deliver, operations, readWhole } = await import("./operations.ts");
      const isWhole = offset === undefined && limit === undefined;
      const answer = isWhole
        ? await readWhole(address, flags)
        : await operations.read({ address, offset_chars: offset, limit_chars: limit }, flags);
      const { outcome } = answer;
      if (body === true && outcome.ok && flags.json !== true) {
        const { sayExactly } = await import("../output.ts");
        sayExactly(outcome.data.text);
      } else deliver(answer, flags);
    });
  withExample(withNotesFlags(read), "notesoup notes read @project/decisions.md");
}
