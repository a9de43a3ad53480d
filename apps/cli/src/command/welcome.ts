import { oneLine } from "@notesoup/text";
import { notebooksOf } from "./notebooks.ts";
import { identityOf } from "./notes/identity.ts";
import { say } from "./output.ts";
import { version } from "./version.ts";

/** What the command says where nothing was asked of it: what there is, and what to do next. */
export async function welcome(): Promise<void> {
  const identity = identityOf({});
  const { notebooks, unavailable } = await notebooksOf(identity);
  const notes = notebooks.reduce((sum, notebook) => sum + notebook.notes, 0);
  say(welcomeText({ home: oneLine(identity.home), notes, unavailable }));
}

/** What there is: where the notes lie, how many there are, and how many notes and notebooks cannot be read. */
interface Found {
  readonly home: string;
  readonly notes: number;
  readonly unavailable: number;
}

function welcomeText(found: Found): string {
  const title = `notesoup ${version()}: a memory for coding agents that outlives the context window`;
  return [title, "", ...nextLines(found), "", "notesoup --help tells the rest."].join("\n");
}

function nextLines({ home, notes, unavailable }: Found): readonly string[] {
  if (notes === 0 && unavailable === 0)
    return [
      `There are no notes in ${home} yet. Begin with one of these:`,
      "",
      "  notesoup setup pi        gives your agent in Pi its memory; says first what it would do",
      "  notesoup setup claude    the same in Claude Code, and setup dsh in DeepSeek Harness",
      '  notesoup notes write @project/decisions.md "Notes are plain markdown files."',
      '  notesoup history search "flaky test"    looks through every session that your agents had',
    ];
  return [
    `There ${notes === 1 ? "is 1 note" : `are ${notes} notes`} in ${home}.`,
    ...(unavailable === 0 ? [] : [`${unavailable} more, notes or notebooks, cannot be read.`]),
    "",
    '  notesoup notes list "**"        lists them',
    "  notesoup notes search TEXT      finds the lines that hold a text",
    "  notesoup status                 says whose they are, and which sessions there are",
  ];
}
