import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { deadLocks } from "@notesoup/notes/maintenance";
import { describe, expect, it } from "vitest";
import { examinationExitCode, examine, type Examination } from "../src/index.ts";
import { dreamPlace, type DreamPlace, filesOf, fill, noteText } from "./dream-fixture.ts";

const NOW = Date.parse("2026-12-01T00:00:00.000Z");
const look = ({ identity }: DreamPlace): Promise<Examination> => examine(identity, NOW);

/** Code and place of each finding. */
async function found(place: DreamPlace): Promise<readonly string[]> {
  return (await look(place)).findings.map(({ code, where }) => `${code} ${where}`);
}

const ENDED = spawnSync(process.execPath, ["--version"]).pid;

/** Each fault: how it is made, and what the doctor says of it. */
const FAULTS: readonly (readonly [string, (place: DreamPlace) => void, readonly string[], boolean])[] = [
  ["a file in the place of a folder of notebooks", ({ put }) => put("project", "x"), ["not_a_folder project"], true],
  ["a file in the place of the person's notebook", ({ put }) => put("human", "x"), ["not_a_folder human"], true],
  ["a file where only notebooks are", ({ put }) => put("agents/a.md", "x"), ["unreachable agents/a.md"], false],
  [
    "a notebook that no address names",
    ({ put }) => put("agents/No Slug/a.md", "x"),
    ["unreachable agents/No Slug"],
    false,
  ],
  ["a note that no address names", ({ put }) => put("human/nul.md", "x"), ["unreachable @human/nul.md"], false],
  [
    "frontmatter that is none",
    ({ put }) => put("human/a.md", "---\norigin: [self\n---\nx"),
    ["frontmatter @human/a.md"],
    false,
  ],
  [
    "frontmatter that is too long",
    ({ put }) => put("human/a.md", `---\norigin: self\nlong: ${"x".repeat(17_000)}\n---\nx`),
    ["frontmatter @human/a.md"],
    false,
  ],
  [
    "a time that is none",
    ({ put }) => put("human/a.md", noteText("x", { updatedAt: "yesterday" })),
    ["frontmatter @human/a.md"],
    false,
  ],
  [
    "an origin that is none",
    ({ put }) => put("human/a.md", noteText("x", { origin: "me" })),
    ["frontmatter @human/a.md"],
    false,
  ],
  ["a note that is too large", ({ put }) => put("human/a.md", "x".repeat(1_048_577)), ["too_large @human/a.md"], false],
  [
    "bytes that are no UTF-8",
    ({ home, put }) => {
      put("human/a.md", "");
      writeFileSync(join(home, "human/a.md"), Buffer.from([0x61, 0xe9]));
    },
    ["not_utf8 @human/a.md"],
    false,
  ],
  [
    "a move that died between its two steps",
    ({ put }) => {
      put("human/old.md", noteText("said once"));
      put("human/new.md", noteText("said once", { updatedAt: "2026-11-02T00:00:00.000Z" }));
    },
    ["half_renamed @human/old.md"],
    true,
  ],
  [
    "names that differ in case alone",
    ({ put }) => {
      put("human/Todo.md", "x");
      put("human/todo.md", "y");
    },
    ["name_collision human/Todo.md"],
    false,
  ],
  [
    "one name in two Unicode forms",
    ({ put }) => {
      put("human/caf\u00e9.md", "x");
      put("human/cafe\u0301.md", "y");
    },
    ["shadowed @human/caf\u00e9.md"],
    false,
  ],
  [
    "a link that leads nowhere",
    ({ home, put }) => {
      put("human/b.md", "x");
      symlinkSync("gone.md", join(home, "human/a.md"));
    },
    ["dangling_link human/a.md"],
    false,
  ],
  [
    "a link that leads out of the home",
    ({ home, put }) => {
      put("human/b.md", "x");
      symlinkSync("/etc/hostname", join(home, "human/a.md"));
    },
    ["outside_home @human/a.md"],
    false,
  ],
  [
    "a notebook that lies outside of the home",
    ({ home }) => symlinkSync("/etc", join(home, "human")),
    ["notebook_unreadable @human"],
    true,
  ],
  [
    "what is no file in a note's place",
    ({ home, put }) => {
      put("human/b.md", "x");
      execFileSync("mkfifo", [join(home, "human/a.md")]);
    },
    ["note_unreadable @human/a.md"],
    false,
  ],
  [
    "a temporary file that was left",
    ({ put }) => put("human/.notesoup-1.tmp", "x"),
    ["stale_temporary human/.notesoup-1.tmp"],
    false,
  ],
  [
    "the lock of a note whose owner died",
    ({ home }) => {
      mkdirSync(join(home, ".locks"));
      symlinkSync(`0123456789abcdef.${hostHash()}.${ENDED}.1`, join(home, ".locks/a"));
    },
    ["stale_lock .locks/a"],
    false,
  ],
  ["the lock of a dreamer who died", ({ put }) => put(".dream.lock", holder({})), ["dream_lock .dream.lock"], false],
  [
    "the lock of a dream of another machine",
    ({ put }) => put(".dream.lock", holder({ host: "elsewhere" })),
    ["dream_lock .dream.lock"],
    false,
  ],
  ["a lock that no dream wrote", ({ put }) => put(".dream.lock", "garbage"), ["dream_lock .dream.lock"], false],
  ["a dream that died", ({ put }) => put(".git/notesoup/run/begin.json", '{"run":"r0"}'), ["dead_run r0"], false],
  [
    "lines of a map whose note is gone, or crumpled",
    ({ put }) => {
      put(
        "human/MAP.md",
        "# Map\n- here.md\n- gone.md\n- [there](sub/x.md), and more\n- `@project/none.md`\n- spent.md\n- https://example.com/a.md\n",
      );
      put("human/here.md", "x");
      put("human/sub/x.md", "x");
      put("human/spent.md", noteText("x", { crumpledAt: "2026-11-02T00:00:00.000Z" }));
    },
    ["map_line @human/MAP.md:3", "map_line @human/MAP.md:5", "map_line @human/MAP.md:6"],
    false,
  ],
];

function holder(traits: object): string {
  return JSON.stringify({
    run: "r0",
    host: hostname(),
    pid: ENDED,
    started: "1",
    time: "2026-12-01T00:00:00.000Z",
    ...traits,
  });
}

/** As a note's lock writes this machine's name: taken from one that a child leaves. */
function hostHash(): string {
  const probe =
    "import { createHash } from 'node:crypto'; import { hostname } from 'node:os'; console.log(createHash('sha256').update(hostname()).digest('hex').slice(0, 8))";
  return execFileSync(process.execPath, ["--input-type=module", "--eval", probe], { encoding: "utf8" }).trim();
}

/** Every entry of a home, with what would tell that it was written to. */
function namesAndTimes(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const { ino, mtimeMs, size } = lstatSync(join(home, name));
      return `${name} ${ino} ${mtimeMs} ${size}`;
    });
}

describe("the doctor", () => {
  it.each(FAULTS)("finds %s", async (_what, make, findings, blocks) => {
    const place = await dreamPlace();
    make(place);
    const before = namesAndTimes(place.home);
    const examination = await look(place);
    expect(examination.findings.map(({ code, where }) => `${code} ${where}`)).toEqual(findings);
    expect(examination.findings.some((finding) => finding.blocks)).toBe(blocks);
    expect(examination.findings.every(({ message }) => message.length > 20 && !message.includes(place.home))).toBe(
      true,
    );
    expect(examinationExitCode(examination)).toBe(1);
    expect(namesAndTimes(place.home)).toEqual(before);
  });

  it("finds a healthy store clean, a heading that is no frontmatter included", async () => {
    const place = await dreamPlace();
    fill(place, 20);
    place.put("human/banner.md", "---\nNORTH STAR OFFICE\n---\nbody\n");
    place.put("human/MAP.md", "- banner.md\n- @project/n1.md\n- ./banner.md\n");
    symlinkSync("banner.md", join(place.home, "human/link.md"));
    await place.store.write("own.md", "x");
    const before = filesOf(place.home);
    const examination = await look(place);
    expect(examination).toEqual({ status: "clean", notes: 24, findings: [] });
    expect(examinationExitCode(examination)).toBe(0);
    expect(filesOf(place.home)).toEqual(before);
  });

  it("finds nothing where there is no home yet, and makes none", async () => {
    const place = await dreamPlace();
    rmSync(place.home, { recursive: true });
    expect((await look(place)).status).toBe("clean");
    expect(await found(place)).toEqual([]);
  });

  it("says that it could not look where the home is a file", async () => {
    const place = await dreamPlace();
    rmSync(place.home, { recursive: true });
    writeFileSync(place.home, "x");
    const examination = await look(place);
    expect(examination).toMatchObject({ status: "unlookable", notes: 0, findings: [] });
    expect(examinationExitCode(examination)).toBe(2);
    expect(readFileSync(place.home, "utf8")).toBe("x");
  });

  it("is plain data, for a program that reads its JSON", async () => {
    const place = await dreamPlace();
    place.put("project", "x");
    const examination = await look(place);
    expect(JSON.parse(JSON.stringify(examination))).toEqual(examination);
  });

  it("leaves the lock of a note alone whose owner lives", async () => {
    const place = await dreamPlace();
    mkdirSync(join(place.home, ".locks"));
    symlinkSync(`0123456789abcdef.${hostHash()}.${process.pid}.0`, join(place.home, ".locks/a"));
    expect(deadLocks(place.home)).toEqual([]);
    expect(await found(place)).toEqual([]);
  });
});
