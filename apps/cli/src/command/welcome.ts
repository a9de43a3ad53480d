import { notebooksOf } from "./notebooks.ts";
import { identityOf } from "./notes/identity.ts";
import { say } from "./output.ts";
import { version } from "./version.ts";

/** What the command says where nothing was asked of it: what there is, and what to do next. */
export async function welcome(): Promise<void> {
  const identity = identityOf({});
  const { notebooks } = await notebooksOf(identity);
  say(
    welcomeText(
      identity.home,
      notebooks.reduce((sum, { notes }) => sum + notes, 0),
    ),
  );
}

/** The text of it. */
export function welcomeText(home: string, notes: number): string {
  const title = `notesoup ${version()}: a memory for coding agents that outlives the context window`;
  const next =
    notes === 0
      ? [
          `There are no notes in ${home} yet. Begin with one of these:`,
          "",
          "  notesoup setup pi        gives your agent in Pi its memory; says first what it would do",
          '  notesoup notes write @project/decisions.md "Notes are plain markdown files."',
          '  notesoup history search "flaky test"    looks through every session that your agents had',
        ]
      : [
          `There ${notes === 1 ? "is 1 note" : `are ${notes} notes`} in ${home}.`,
          "",
          '  notesoup notes list "**"        lists them',
          "  notesoup notes search TEXT      finds the lines that hold a text",
          "  notesoup status                 says whose they are, and which sessions there are",
        ];
  return [title, "", ...next, "", "notesoup --help tells the rest."].join("\n");
}
