import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectKey } from "@notesoup/notes";
import { describe, expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";
import { bodyOf, newPerson, type Person, type Ran } from "./person.ts";

const command = packedCommand();

const person = (): Promise<Person> => newPerson(command.folder());

const NOTE = "@project/decisions.md";

async function withNote(body = "Notes are plain files."): Promise<Person> {
  const ana = await person();
  expect(await ana.run(`notesoup notes write ${NOTE} -`, { input: body })).toMatchObject({ code: 0, stderr: "" });
  return ana;
}

function fileOf(ana: Person): string {
  return join(ana.notes, "project", projectKey(ana.project), "decisions.md");
}

function done(stdout: unknown): Partial<Ran> {
  return { code: 0, signal: null, stdout: stdout as string, stderr: "" };
}

function jsonOf({ stdout }: Ran): unknown {
  expect(stdout).toMatch(/^[^\n]+\n$/u);
  return JSON.parse(stdout);
}

describe.concurrent("notes", () => {
  it("write: makes a note, and replaces it", async () => {
    const ana = await person();
    expect(await ana.run(`notesoup notes write ${NOTE} "One."`)).toEqual(done(`created ${NOTE} · 4 bytes\n`));
    const again = await ana.run(`notesoup notes write ${NOTE} "Other." --origin user --json`);
    expect(jsonOf(again)).toMatchObject({ address: NOTE, outcome: "overwritten", bytes: 6 });
    expect(await bodyOf(fileOf(ana))).toBe("Other.");
    expect(await readFile(fileOf(ana), "utf8")).toContain("origin: user");
  });

  it("write: takes standard input byte for byte", async () => {
    const ana = await person();
    const body = "\ufeffOne\r\ntwo\n\n\tthree 😀";
    expect(await ana.run(`notesoup notes write ${NOTE} -`, { input: body })).toMatchObject({ code: 0 });
    expect(await ana.run(`notesoup notes read ${NOTE} --body`)).toEqual(done(body));
  });

  it("write: refuses input that is no UTF-8, and more than a note can hold", async () => {
    const ana = await person();
    expect(await ana.run(`notesoup notes write ${NOTE} -`, { input: Uint8Array.of(0xff, 0xfe) })).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr: "error: not_utf8: standard input is not UTF-8; convert it, for instance with iconv\n",
    });
    const { code, stderr } = await ana.run(`yes | notesoup notes write ${NOTE} -`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: too_large: .*\n$/u)]);
    expect(existsSync(ana.notes)).toBe(false);
  });

  it("write, update: an empty standard input is refused: what stood before the pipe may have failed", async () => {
    const ana = await withNote("kept");
    for (const line of [`write ${NOTE} -`, `update ${NOTE} --old kept --new -`, `write ${NOTE} - < .`])
      expect(await ana.run(`notesoup notes ${line}`)).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: 'error: empty_input: nothing came on standard input; for an empty text give "" in place of -\n',
      });
    expect(await bodyOf(fileOf(ana))).toBe("kept");
    expect(await ana.run(`notesoup notes write ${NOTE} ""`)).toMatchObject({ code: 0 });
    expect(await bodyOf(fileOf(ana))).toBe("");
  });

  it("write, update: an argument that is no UTF-8 is refused, for it comes garbled", async () => {
    const ana = await withNote("kept");
    for (const line of [`write ${NOTE} $'a\\xff'`, `update ${NOTE} --old kept --new $'\\xff'`])
      expect(await ana.run(`notesoup notes ${line}`)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^error: not_utf8: [^\n]*standard input with -\n$/u),
      });
    expect(await bodyOf(fileOf(ana))).toBe("kept");
    expect(await ana.run(`notesoup notes write ${NOTE} -`, { input: "\ufffd" })).toMatchObject({ code: 0 });
  });

  it("write: two at once leave one of the two, whole", async () => {
    const ana = await person();
    const bodies = ["1", "2"].map((digit) => digit.repeat(100_000));
    const ran = await Promise.all(bodies.map((input) => ana.run(`notesoup notes write ${NOTE} -`, { input })));
    expect(ran.map(({ code }) => code)).toEqual([0, 0]);
    expect(bodies).toContain(await bodyOf(fileOf(ana)));
  });

  it("update: of several at once none is lost", async () => {
    const ana = await withNote("begin");
    const lines = ["1", "2", "3", "4"];
    const ran = await Promise.all(
      lines.map((line) => ana.run(`notesoup notes update ${NOTE} --old begin --new "begin ${line}"`)),
    );
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect((await bodyOf(fileOf(ana))).split(" ").toSorted()).toEqual([...lines, "begin"]);
  });

  it("read: prints a note with its metadata, as the operation does", async () => {
    const ana = await withNote();
    const { stdout } = await ana.run(`notesoup notes read ${NOTE}`);
    expect(stdout).toMatch(
      /^@project\/decisions\.md\norigin self · created \S+ · updated \S+\n\nNotes are plain files\.\n$/u,
    );
    expect(jsonOf(await ana.run(`notesoup notes read ${NOTE} --json`))).toMatchObject({
      address: NOTE,
      text: "Notes are plain files.",
      total_chars: 22,
      next_offset_chars: null,
    });
  });

  it("read: prints a long note to its end, and one part where a part is asked for", async () => {
    const body = "0123456789\n".repeat(20_000);
    const ana = await withNote(body);
    expect((await ana.run(`notesoup notes read ${NOTE} --body`)).stdout).toBe(body);
    expect(jsonOf(await ana.run(`notesoup notes read ${NOTE} --json`))).toMatchObject({
      text: body,
      next_offset_chars: null,
    });
    expect(jsonOf(await ana.run(`notesoup notes read ${NOTE} --offset 11 --limit 10 --json`))).toMatchObject({
      text: "0123456789",
      next_offset_chars: 21,
    });
    expect(jsonOf(await ana.run(`notesoup notes read ${NOTE} --offset -11 --json`))).toMatchObject({
      text: "0123456789\n",
    });
  });

  it("list and search: select by globs, and are lines or JSON", async () => {
    const ana = await withNote("Alpha\nBeta");
    await ana.run('notesoup notes write @human/likes.md "beta, too"');
    const listed = await ana.run("notesoup notes list");
    expect(listed.stdout.split("\n").filter((line) => line.startsWith("@"))).toHaveLength(2);
    expect(jsonOf(await ana.run('notesoup notes list "@human/**" --json'))).toMatchObject({
      files: [{ address: "@human/likes.md", bytes: 9 }],
      more: 0,
    });
    expect(jsonOf(await ana.run("notesoup notes list --limit 1 --json"))).toMatchObject({ more: 1 });
    expect(jsonOf(await ana.run('notesoup notes search BETA --glob "**" --json'))).toMatchObject({
      files: [
        { address: "@human/likes.md", matches: [{ line: 1, offset_chars: 0, text: "beta, too" }] },
        { address: NOTE, matches: [{ line: 2, offset_chars: 6, text: "Beta" }] },
      ],
    });
    expect((await ana.run("notesoup notes search alpha beta")).stdout).toContain("Alpha");
  });

  it("search: that it finds nothing is no failure", async () => {
    const ana = await person();
    expect(await ana.run("notesoup notes search nothing")).toEqual(done("no notes found\n"));
  });

  it("update: does all of its edits, or none", async () => {
    const ana = await withNote("one two two");
    const line = `notesoup notes update ${NOTE}`;
    expect(await ana.run(`${line} --old one --new 1 --old two --new 2`)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: ambiguous_match: /u),
    });
    expect(await bodyOf(fileOf(ana))).toBe("one two two");
    expect(await ana.run(`${line} --old one --new - --old two --new 2 --replace-all`, { input: "uno" })).toMatchObject(
      done(expect.stringMatching(/^updated /u)),
    );
    expect(await bodyOf(fileOf(ana))).toBe("uno 2 2");
    expect(jsonOf(await ana.run(`${line} --origin user --json`))).toMatchObject({ applied: 0, change: "metadata" });
  });

  it("rename: moves a note, and never onto another one", async () => {
    const ana = await withNote();
    await ana.run('notesoup notes write @human/taken.md "Mine."');
    expect(await ana.run(`notesoup notes rename ${NOTE} @human/taken.md --json`)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"code":"already_exists"'),
      stderr: expect.stringMatching(/^error: already_exists: [^\n]*\n$/u),
    });
    expect(jsonOf(await ana.run(`notesoup notes rename ${NOTE} @human/moved.md --json`))).toMatchObject({
      address: "@human/moved.md",
      rename_from: NOTE,
    });
  });

  it("crumple and uncrumple: set a note aside, and bring it back", async () => {
    const ana = await withNote();
    expect(jsonOf(await ana.run(`notesoup notes crumple ${NOTE} --json`))).toMatchObject({ crumpled: true });
    expect((await ana.run("notesoup notes list")).stdout).toBe("no notes found\n");
    expect((await ana.run("notesoup notes list --crumpled")).stdout).toContain(NOTE);
    expect((await ana.run("notesoup notes search plain --crumpled")).stdout).toContain(NOTE);
    expect(await ana.run(`notesoup notes uncrumple ${NOTE}`)).toMatchObject({ code: 0 });
    expect((await ana.run("notesoup notes list")).stdout).toContain(NOTE);
  });

  it("identity: flags say whose notes, and which project", async () => {
    const ana = await withNote();
    expect(await ana.run('notesoup notes write @self/a.md "A." --agent pi')).toMatchObject({ code: 0 });
    expect(await ana.run('notesoup notes write @model/a.md "A." --model some-model')).toMatchObject({ code: 0 });
    expect(await ana.run('notesoup notes write todo.md "A." --session s1')).toMatchObject({ code: 0 });
    const listed = jsonOf(await ana.run('notesoup notes list "**" --json')) as { files: { address: string }[] };
    expect(listed.files.map(({ address }) => address).toSorted()).toEqual([
      "@agents/pi/a.md",
      "@models/some-model/a.md",
      NOTE,
      "@sessions/s1/todo.md",
    ]);
    expect((await ana.run('notesoup notes list "@project/**" --cwd ..')).stdout).not.toContain(NOTE);
    expect(await ana.run("notesoup notes list --cwd nowhere")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: invalid_cwd: /u),
    });
    expect(await ana.run(`notesoup notes read ${NOTE}`, { env: { NOTESOUP_HOME: "other" } })).toMatchObject({
      code: 1,
    });
    const other = { env: { NOTESOUP_HOME: "other" } };
    expect(await ana.run(`notesoup notes read ${NOTE} --home ${ana.notes}`, other)).toMatchObject({ code: 0 });
  });

  it.each([
    ["todo.md", "--session"],
    ["@self/a.md", "--agent"],
    ["@model/a.md", "--model"],
  ])("identity: %s is nobody's without %s", async (address, flag) => {
    const ana = await person();
    const { code, stdout, stderr } = await ana.run(`notesoup notes write ${address} x`);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(flag)]);
    expect(existsSync(ana.notes)).toBe(false);
  });

  it.each([
    ["list --home ''", "--home is empty; name a folder, or leave it out"],
    ["write '' x", "the address is empty"],
    ["list --session ../..", '--session is "../.."; it must be one to 128 of'],
    ["list --agent 'My Agent'", "give --agent my-agent"],
    ["list --model ///", "give letters of a-z or digits"],
    [`read ${"a".repeat(5000)}`, `"${"a".repeat(80)}…" is a note of a session`],
    [`write ${NOTE} '- an item'`, "a text that begins with - goes behind --"],
  ])("identity and text: %s is wrong use, and the way on is told", async (line, message) => {
    const ana = await person();
    const { code, stdout, stderr } = await ana.run(`notesoup notes ${line}`);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: invalid_arguments: [^\n]{1,400}\n$/u);
    expect(stderr).toContain(message);
  });

  it("identity: where HOME is empty, the notes lie in the home that the system knows", async () => {
    const ana = await person();
    const status = jsonOf(await ana.run("HOME= notesoup status --json")) as { readonly home: string };
    expect(status.home).toBe(join(userInfo().homedir, ".agents", "notes"));
  });

  it("a folder that is gone is told of in one line", async () => {
    const ana = await person();
    const ran = await ana.run("mkdir gone && cd gone && rmdir ../gone && exec notesoup notes list");
    expect(ran).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr: "error: io: the current folder does not exist any more; change to another one\n",
    });
  });

  it("a home that cannot be read is not taken for an empty one", async () => {
    const ana = await withNote();
    const closed = { env: { NOTESOUP_HOME: fileOf(ana) } };
    for (const line of ["notesoup", "notesoup status", "notesoup notes list", "notesoup notes read @human/a.md"])
      expect(await ana.run(line, closed)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^error: io: [^\n]*\n$/u),
      });
    await rm(join(ana.notes, "project"), { recursive: true });
    await symlink("/", join(ana.notes, "human"));
    expect((await ana.run("notesoup")).stdout).toContain("1 more, notes or notebooks, cannot be read.");
    const { stdout } = await ana.run("notesoup status");
    expect(stdout).toContain("  1 could not be read;");
    expect(stdout).not.toContain("no notes yet");
  });

  it("files whose names no address can say are named on one line each", async () => {
    const ana = await withNote();
    await mkdir(join(ana.notes, "human"), { recursive: true });
    for (const name of ["new\nline.md", "red\u001B[31m.md"]) await writeFile(join(ana.notes, "human", name), "x");
    expect(
      (await ana.run("notesoup notes list")).stdout.split("\n").filter((line) => line.startsWith("unavailable ")),
    ).toEqual([
      String.raw`unavailable @human/new\u000aline.md · invalid_address`,
      String.raw`unavailable @human/red\u001b[31m.md · invalid_address`,
    ]);
  });

  it("Ctrl-C in the middle of a change: the change is made, and nothing lies about", async () => {
    const ana = await withNote("before");
    const preload = fileURLToPath(new URL("interrupted-at-rename.ts", import.meta.url));
    const { signal, stdout } = await ana.run(`exec notesoup notes write ${NOTE} after`, {
      env: { NODE_OPTIONS: `--import ${preload}` },
    });
    expect([signal, stdout]).toEqual(["SIGINT", `overwritten ${NOTE} · 5 bytes\n`]);
    expect(await bodyOf(fileOf(ana))).toBe("after");
    expect(await readdir(join(fileOf(ana), ".."))).toEqual(["decisions.md"]);
  });

  it("a closed pipe is no failure", async () => {
    const ana = await withNote("0123456789\n".repeat(20_000));
    const { stdout, stderr } = await ana.run(`notesoup notes read ${NOTE} | head -c 8; echo " \${PIPESTATUS[0]}"`);
    expect([stdout, stderr]).toEqual(["@project 0\n", ""]);
  });

  it("output that cannot be written is a failure, and so is what the system refuses", async () => {
    const ana = await withNote();
    expect(await ana.run("notesoup notes list > /dev/full")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: io: ENOSPC[^\n]*\n$/u),
    });
    expect(await ana.run(`EDITOR=true TMPDIR=/nowhere notesoup notes edit ${NOTE}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: io: ENOENT[^\n]*\n$/u),
    });
  });
});

describe.concurrent("notes edit", () => {
  it("writes what the editor made of the note", async () => {
    const ana = await withNote("one\ntwo\n");
    const editor = { env: { EDITOR: "false", VISUAL: "sed -i s/two/zwei/" } };
    expect(await ana.run(`notesoup notes edit ${NOTE}`, editor)).toMatchObject(
      done(expect.stringMatching(/^updated @project\/decisions\.md/u)),
    );
    expect(await bodyOf(fileOf(ana))).toBe("one\nzwei\n");
  });

  it("makes a note that does not exist, and nothing where nothing was written", async () => {
    const ana = await person();
    expect(await ana.run(`notesoup notes edit ${NOTE}`, { env: { EDITOR: "true" } })).toEqual(
      done(`unchanged ${NOTE}\n`),
    );
    expect(existsSync(ana.notes)).toBe(false);
    const editor = await ana.program("new-editor", 'printf "New." > "$1"');
    expect(await ana.run(`notesoup notes edit ${NOTE} --json`, { env: { EDITOR: editor } })).toMatchObject({ code: 0 });
    expect(await bodyOf(fileOf(ana))).toBe("New.");
  });

  it("refuses where somebody changed the note meanwhile, and keeps the edited text", async () => {
    const ana = await withNote("mine");
    const editor = await ana.program(
      "slow-editor",
      `notesoup notes write ${NOTE} theirs > theirs.log; printf "edited" > "$1"`,
    );
    const { code, stderr } = await ana.run(`notesoup notes edit ${NOTE}`, { env: { EDITOR: editor } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: changed: [^\n]*\n$/u)]);
    expect(await bodyOf(fileOf(ana))).toBe("theirs");
    const [, kept = ""] = / is in (\S+)\n$/u.exec(stderr) ?? [];
    expect(await readFile(kept, "utf8")).toBe("edited");
  });

  it("leaves the note where the editor fails, or none is named", async () => {
    const ana = await withNote("mine");
    expect(await ana.run(`notesoup notes edit ${NOTE}`)).toMatchObject({
      code: 1,
      stderr: "error: no_editor: set VISUAL or EDITOR to the editor that you use\n",
    });
    expect(await ana.run(`notesoup notes edit ${NOTE}`, { env: { EDITOR: "false" } })).toMatchObject({
      code: 1,
      stderr: "error: editor_failed: the editor false failed: it ended with 1\n",
    });
    const json = await ana.run(`notesoup notes edit ${NOTE} --json`);
    expect(json).toMatchObject({ code: 1, stderr: expect.stringContaining("no_editor") });
    expect(JSON.parse(json.stdout)).toEqual({
      error: "set VISUAL or EDITOR to the editor that you use",
      code: "no_editor",
    });
    const failing = await ana.program("failing-editor", 'printf "half" > "$1"; exit 3');
    const { stderr } = await ana.run(`notesoup notes edit ${NOTE}`, { env: { EDITOR: failing } });
    const [, kept = ""] = /^error: editor_failed: .* it ended with 3; .* is in (\S+)\n$/u.exec(stderr) ?? [];
    expect(await readFile(kept, "utf8")).toBe("half");
    const editor = await ana.program("latin-editor", String.raw`printf "\377" > "$1"`);
    expect(await ana.run(`notesoup notes edit ${NOTE}`, { env: { EDITOR: editor } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: not_utf8: .* is in /u),
    });
    expect(await bodyOf(fileOf(ana))).toBe("mine");
  });

  it.each([
    ["is ended by a signal", "kill -9 $$", "it ended with 137"],
    ["removes the file", 'rm "$1"', "left no file behind"],
    ["is not there", "exec nonexistent-editor", "it ended with 127"],
  ])("leaves the note, and nothing lying about, where the editor %s", async (_what, script, message) => {
    const ana = await withNote("mine");
    const editor = await ana.program("odd-editor", script);
    const { code, stdout, stderr } = await ana.run(`notesoup notes edit ${NOTE}`, { env: { EDITOR: editor } });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: editor_failed: [^\n]*$/mu);
    expect(stderr).toContain(message);
    expect(await bodyOf(fileOf(ana))).toBe("mine");
    expect((await readdir(join(ana.home, ".."))).filter((name) => name.startsWith("notesoup-edit-"))).toEqual([]);
  });

  it("leaves a note as it is, its times too, where nothing was changed", async () => {
    const ana = await withNote("mine");
    const before = await readFile(fileOf(ana), "utf8");
    expect(await ana.run(`notesoup notes edit ${NOTE} --json`, { env: { EDITOR: "touch" } })).toEqual(
      done(`{"address":"${NOTE}","change":"none"}\n`),
    );
    const updatedAt = /^updatedAt: .*$/mu;
    expect(updatedAt.exec(await readFile(fileOf(ana), "utf8"))?.[0]).toBe(updatedAt.exec(before)?.[0]);
  });

  it("keeps what an editor says out of the output", async () => {
    const ana = await withNote("mine");
    const editor = await ana.program("talking-editor", 'echo hello; printf "edited" > "$1"');
    const ran = await ana.run(`notesoup notes edit ${NOTE} --json`, { env: { EDITOR: `${editor} --flag` } });
    expect(ran).toMatchObject({ code: 0, stderr: "hello\n" });
  });

  it("tells of a note that cannot be edited before the editor is opened", async () => {
    const ana = await withNote();
    await writeFile(fileOf(ana), Uint8Array.of(0xff));
    await chmod(fileOf(ana), 0o600);
    expect(await ana.run(`notesoup notes edit ${NOTE}`, { env: { EDITOR: "touch opened" } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: not_utf8: /u),
    });
    expect(existsSync(join(ana.project, "opened"))).toBe(false);
  });
});
