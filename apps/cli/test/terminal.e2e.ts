import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";
import { newPerson, type Person, type TerminalOptions } from "./person.ts";

const command = packedCommand();

const person = (): Promise<Person> => newPerson(command.folder());

async function shown(ana: Person, line: string, options?: TerminalOptions): Promise<string> {
  const { output } = await ana.terminal(line, options).ended;
  return output;
}

/** How the command itself steers a terminal: it returns to the begin of the line and empties it. */
const EMPTY_LINE = "\r\u001B[K";

/** All that could steer a terminal: escapes, the one-byte CSI, a bell, marks of direction. */
const STEERING = "\u001B[31mred \u009B2J \u0007 \u202Eleft";

describe.concurrent("on a terminal", () => {
  it("what a note, a session or a refusal holds cannot steer it, and stays what it is as JSON", async () => {
    const ana = await person();
    await ana.run("notesoup notes write @human/a.md -", { input: STEERING });
    await ana.session("01a22d64-b699-720f-bcb7-f9bf943aab73", [STEERING]);
    const escaped = String.raw`\u001b[31mred \u009b2J \u0007 \u202eleft`;
    for (const line of [
      "notes read @human/a.md",
      "notes read @human/a.md --body",
      "notes read @human/a.md --json",
      "notes search red",
      "notes search red --json",
      "history list",
      "history read 01a22d 0",
      "history read 01a22d 0 --json",
    ]) {
      const output = await shown(ana, `notesoup ${line}`);
      expect(output, line).toContain(escaped);
      for (const character of "\u001B\u009B\u0007\u202E")
        expect(output.replaceAll(EMPTY_LINE, ""), line).not.toContain(character);
    }
    const json = await shown(ana, "notesoup notes read @human/a.md --json");
    expect(JSON.parse(json)).toMatchObject({ text: STEERING });
    const refused = await shown(ana, String.raw`notesoup notes read @human/$'\u202e'x.md`);
    expect(refused).toContain(String.raw`@human/\u202ex.md`);
  });

  it("a refusal is in colour, and plain where NO_COLOR is set, whatever FORCE_COLOR says", async () => {
    const ana = await person();
    expect(await shown(ana, "notesoup nots")).toContain("\u001B[31merror:\u001B[39m invalid_arguments: ");
    for (const env of [{ NO_COLOR: "1" }, { NO_COLOR: "1", FORCE_COLOR: "1" }])
      expect(await shown(ana, "notesoup notes --help; notesoup nots", { env })).not.toContain("\u001B");
  });

  it("help and lists do without colours and progress in a pipe behind it", async () => {
    const ana = await person();
    await ana.session("01a22d64-b699-720f-bcb7-f9bf943aab73", ["flaky"]);
    const line = "notesoup --help | cat; notesoup history search flaky 2>&1 | cat";
    expect(await shown(ana, line)).not.toContain("\u001B");
  });

  it.each([20, 10, 1])(
    "progress stays on its line in a terminal of %d columns, and is gone at the end",
    async (columns) => {
      const ana = await person();
      await ana.session("01a22d64-b699-720f-bcb7-f9bf943aab73", ["Hello."]);
      const output = await shown(ana, "notesoup history search nothing", { columns });
      const [before, text = "", after] = output.split(EMPTY_LINE);
      expect([before, after]).toEqual(["", "no events found\r\n"]);
      expect(text).toBe("searching session 1 of 1; Ctrl-C stops".slice(0, columns - 1));
    },
  );

  it("Ctrl-C ends a search with 130 for the shell, and leaves the line empty", async () => {
    const ana = await person();
    await ana.session("01a22d64-b699-720f-bcb7-f9bf943aab73", ["Hello."]);
    const preload = fileURLToPath(new URL("stuck-at-sessions.ts", import.meta.url));
    const terminal = ana.terminal(
      `trap : INT; NODE_OPTIONS="--import ${preload}" notesoup history search x; echo "[$?]"`,
    );
    await terminal.shows("searching session 1 of 1");
    terminal.press("\u0003");
    const { output } = await terminal.ended;
    expect(output.endsWith(`${EMPTY_LINE}[130]\r\n`)).toBe(true);
  });

  it("text is typed where - stands for it, and Ctrl-C writes nothing", async () => {
    const ana = await person();
    const typed = ana.terminal("notesoup notes write @human/a.md -");
    await typed.shows("Type the text; Ctrl-D on a line of its own ends it.");
    typed.press("one\ntwo\n\u0004");
    expect(await typed.ended).toMatchObject({
      code: 0,
      output: expect.stringContaining("created @human/a.md · 8 bytes"),
    });
    const stopped = ana.terminal("exec notesoup notes write @human/a.md -");
    await stopped.shows("Type the text");
    stopped.press("three\n\u0003");
    expect(await stopped.ended).toMatchObject({ signal: 2 });
    expect((await ana.run("notesoup notes read @human/a.md --body")).stdout).toBe("one\ntwo\n");
  });

  it("an editor has the terminal to itself, Ctrl-C included", async () => {
    const ana = await person();
    const editor = await ana.program(
      "terminal-editor",
      'test -t 0 && test -t 1 || exit 9; trap "printf interrupted > \\"$1\\"; exit 0" INT; echo editing; while :; do sleep 1; done',
    );
    const terminal = ana.terminal("exec notesoup notes edit @human/a.md", { env: { EDITOR: editor } });
    await terminal.shows("editing");
    terminal.press("\u0003");
    expect(await terminal.ended).toMatchObject({ code: 0, output: expect.stringContaining("created @human/a.md") });
    expect((await ana.run("notesoup notes read @human/a.md --body")).stdout).toBe("interrupted");
  });
});
