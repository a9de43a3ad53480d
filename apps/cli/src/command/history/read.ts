import type { Command } from "commander";
import { withExample } from "../example.ts";
import { wholeNumber } from "../option-values.ts";

interface ReadFlags {
  readonly offset?: number;
  readonly limit?: number;
  readonly json?: boolean;
}

/** `notesoup history read`. */
export function addRead(history: Command): void {
  const read = history
    .command("read")
    .description("print an event to its end, or a part of it")
    .argument("<session>", "<harness>:<id>, an id, or its first 6 or more characters")
    .argument("<seq>", "which event, as lists number them", wholeNumber)
    .option("--offset <chars>", "begin there, and print one part; negative: at the tail", wholeNumber)
    .option("--limit <chars>", "print one part of at most so many characters", wholeNumber)
    .option("--json", "print the result as JSON, on one line")
    .action(async (session: string, seq: number, { offset, limit, ...flags }: ReadFlags) => {
      const { deliver, readPart, readWhole } = await import("./operations.ts");
      const isWhole = offset === undefined && limit === undefined;
      const answer = isWhole
        ? await readWhole(session, seq)
        : await readPart({ session, seq, offset_chars: offset, limit_chars: limit });
      deliver(answer, flags);
    });
  withExample(read, 'notesoup history read "$(notesoup history sessions --limit 1 --names)" 0');
}
