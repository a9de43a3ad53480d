import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import {
  addressAt,
  asOwn,
  fileState,
  noteVersion,
  openStore,
  putFile,
  scopeOf,
  type StoreGuard,
  type SurveyedNote,
  surveyNotes,
  withLockedFile,
} from "../src/maintenance.ts";
import { identityIn } from "./identities.ts";

const identity = identityIn("/home");

describe("the version of a note", () => {
  const note = (lines: string, body = "body\n"): Buffer => Buffer.from(`---\norigin: self\n${lines}---\n${body}`);

  it("is the same where only accesses were counted", () => {
    const version = noteVersion(note(""));
    expect(noteVersion(note("lastAccessed: 2026-11-01T00:00:00.000Z\naccessCount: 3\n"))).toBe(version);
    expect(noteVersion(note("accessCount: 1\n"))).toBe(version);
  });

  it("is another one for any other byte", () => {
    const others = [
      note("", "body"),
      note("crumpledAt: 2026-11-01T00:00:00.000Z\n"),
      note("mine: 1\n"),
      Buffer.from("body\n"),
    ];
    expect(new Set([note(""), ...others].map(noteVersion)).size).toBe(5);
  });

  it("is there for what is no note: other bytes than UTF-8, and frontmatter whose lines cannot be taken out", () => {
    expect(noteVersion(Buffer.from([0xff]))).not.toBe(noteVersion(Buffer.from([0xfe])));
    expect(noteVersion(Buffer.from("---\n{accessCount: 1, a: 2}\n---\n"))).toMatch(/^[0-9a-f]{32}$/u);
  });
});

describe("an identity whose own a note is", () => {
  it.each([
    ["@projects/other-1/a", "@projects/other-1/a.md", "@project/a.md", { projectKey: "other-1" }],
    [`@projects/${identity.projectKey}/a`, "@project/a.md", "@project/a.md", {}],
    ["@agents/other/x/a.md", "@agents/other/x/a.md", "@self/x/a.md", { agent: "other" }],
    ["@models/other/a", "@models/other/a.md", "@model/a.md", { model: "other" }],
    ["@sessions/s-2/a", "@sessions/s-2/a.md", "a.md", { sessionId: "s-2" }],
    ["@human/a", "@human/a.md", "@human/a.md", {}],
    ["a", "a.md", "a.md", {}],
  ])("of %s knows it as its own", (address, outer, inner, changed) => {
    expect(asOwn([address], identity)).toEqual({ identity: { ...identity, ...changed }, notes: [{ outer, inner }] });
  });

  it("is one for two notebooks of two kinds, and none for two of one kind", () => {
    expect(asOwn(["@sessions/s-2/a", "@projects/other-1/b"], identity)?.identity).toMatchObject({
      sessionId: "s-2",
      projectKey: "other-1",
    });
    expect(asOwn(["@projects/other-1/a", "@projects/other-2/a"], identity)).toBeUndefined();
    expect(asOwn(["@projects/other-1/a", "@project/a"], identity)).toBeUndefined();
    expect(asOwn(["@project/a", "@projects/other-1/a"], identity)).toBeUndefined();
  });

  it("is none for a path of another session that would be another notebook in one's own", () => {
    expect(asOwn(["@sessions/s-2/@human/a"], identity)).toBeUndefined();
  });
});

describe("the address of what lies at a path", () => {
  it.each([
    ["human/a.md", "@human/a.md"],
    [`project/${identity.projectKey}/x/a.md`, "@project/x/a.md"],
    ["project/other-1/a.md", "@projects/other-1/a.md"],
    ["agents/other/a.md", "@agents/other/a.md"],
    [`pi/session/${identity.sessionId}/a.md`, "a.md"],
    ["pi/session/s-2/a.md", "@sessions/s-2/a.md"],
    ["human/cafe\u0301.md", "@human/caf\u00e9.md"],
  ])("%s is %s", (path, address) => {
    expect(addressAt(path.split("/"), identity)).toBe(address);
  });

  it.each([
    "a.md",
    "human/a.txt",
    "human",
    "project/a.md",
    "agents/No Slug/a.md",
    "human/nul.md",
    "dreams/a.md",
    "pi/a.md",
  ])("there is none for %s", (path) => {
    expect(addressAt(path.split("/"), identity)).toBeUndefined();
  });
});

describe("a scope", () => {
  it.each([
    ["**", "@agents/other/a.md", true],
    ["@project/**", "@project/x/a.md", true],
    ["@project/**", `@projects/${identity.projectKey}/a.md`, true],
    [`@projects/${identity.projectKey}/**`, "@project/a.md", true],
    ["@project/*.md", "@project/x/a.md", false],
    ["@project/**", "@projects/other-1/a.md", false],
    ["@sessions/**", "a.md", true],
    ["*", "a.md", true],
    ["*", "@human/a.md", false],
    ["@default", "@self/a.md", true],
    ["@default", "@agents/other/a.md", false],
    ["{@human/**,@self/x.md}", "@self/x.md", true],
  ])("%s, asked for %s, says %s", (glob, address, isIn) => {
    expect(scopeOf(glob, identity).has(address)).toBe(isIn);
  });

  it("that is no glob is refused", () => {
    expect(() => scopeOf("@nowhere/**", identity)).toThrow(expect.objectContaining({ code: "unknown_scope" }) as Error);
  });
});

describe("a survey", () => {
  it("reads every note once, live and crumpled, names what it cannot read, and writes nothing", async () => {
    const home = await temporaryFolder();
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    };
    put("human/a.md", "---\norigin: user\naccessCount: 2\n---\nbody\n");
    put("human/spent.md", "---\ncrumpledAt: 2026-11-01T00:00:00.000Z\n---\n");
    put("agents/other/b.md", "plain");
    put("human/large.md", "x".repeat(1_048_577));
    symlinkSync("a.md", join(home, "human/link.md"));
    const seen: SurveyedNote[] = [];
    const survey = await surveyNotes(identityIn(home), "**", (note) => seen.push(note));
    expect(
      seen.map(({ address, path, isLinked, notebook, bytes }) => [address, path, isLinked, notebook, bytes]),
    ).toEqual([
      ["@human/a.md", "human/a.md", false, "human", 5],
      ["@human/link.md", "human/a.md", true, "human", 5],
      ["@human/spent.md", "human/spent.md", false, "human", 0],
      ["@agents/other/b.md", "agents/other/b.md", false, "agents/other", 5],
    ]);
    expect(survey).toEqual({
      notebooksUnavailable: [],
      notesUnavailable: [{ address: "@human/large.md", code: "too_large" }],
    });
    expect(readFileSync(join(home, "human/a.md"), "utf8")).toContain("accessCount: 2\n");
  });
});

describe("a guarded store", () => {
  it("asks its guard before anything is changed, counts no access if it says so, and changes nothing where it refuses", async () => {
    const home = await temporaryFolder();
    const asked: string[] = [];
    const guard: StoreGuard = {
      countsAccess: false,
      around(doing, located, work) {
        asked.push(`${doing} ${located.map(({ note }) => note.address).join(" ")}`);
        if (located.some(({ note }) => note.address === "no.md")) throw new Error("no");
        return work();
      },
    };
    const store = openStore(identityIn(home), guard);
    await store.write("a", "x");
    await store.read("a");
    await store.update("a", [], { renameTo: "b" });
    await expect(store.write("no", "x")).rejects.toThrow("no");
    await expect(store.update("b", [], { renameTo: "no" })).rejects.toThrow("no");
    expect(asked).toEqual(["write a.md", "read a.md", "write a.md b.md", "write no.md", "write b.md no.md"]);
    const [row, ...others] = await store.list();
    expect(row).toMatchObject({ address: "b.md", meta: { accessCount: 0 } });
    expect(others).toEqual([]);
  });
});

describe("a file that is put", () => {
  it("has the bytes, mode and time that it was given, in folders that are made, and leaves nothing else", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "x/y/a.md");
    await putFile(path, { bytes: Buffer.from([0xff, 0x00]), mode: 0o640, mtimeMs: 1_700_000_000_123 });
    expect(readFileSync(path)).toEqual(Buffer.from([0xff, 0x00]));
    expect(statSync(path).mode & 0o7777).toBe(0o640);
    expect(Math.round(statSync(path).mtimeMs)).toBe(1_700_000_000_123);
    await putFile(path, { bytes: "again", mode: 0o600 });
    expect(fileState(path)).toMatchObject({ mode: 0o600, bytes: Buffer.from("again") });
    expect(readdirSync(dirname(path))).toEqual(["a.md"]);
  });

  it("is not there where it could not be put whole, nor are its folders", async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "file"), "x");
    await expect(putFile(join(folder, "file/a.md"), { bytes: "x", mode: 0o600 })).rejects.toMatchObject({
      code: "ENOTDIR",
    });
    mkdirSync(join(folder, "b.md"));
    await expect(putFile(join(folder, "b.md"), { bytes: "x", mode: 0o600 })).rejects.toMatchObject({ code: "EISDIR" });
    expect(readdirSync(folder).toSorted()).toEqual(["b.md", "file"]);
  });

  it("is not changed by a store in the same moment", async () => {
    const home = await temporaryFolder();
    const store = openStore(identityIn(home));
    await store.write("@human/a", "one");
    const path = join(home, "human/a.md");
    const order: string[] = [];
    await Promise.all([
      withLockedFile(home, path, "human/a.md", async () => {
        order.push("begins");
        await new Promise(setImmediate);
        await putFile(path, { bytes: "two", mode: 0o600 });
        order.push("ends");
      }),
      store.update("@human/a", [{ oldText: "two", newText: "three" }]).then(() => order.push("updated")),
    ]);
    expect(order).toEqual(["begins", "ends", "updated"]);
    expect((await store.read("@human/a"))?.body).toBe("three");
  });
});

it("gives the state of a file, and of none", async () => {
  const path = join(await temporaryFolder(), "a.md");
  expect(fileState(path)).toBeUndefined();
  writeFileSync(path, "x");
  chmodSync(path, 0o604);
  utimesSync(path, 1000, 1000);
  expect(fileState(path)).toMatchObject({ mode: 0o604, mtimeMs: 1_000_000, version: noteVersion(Buffer.from("x")) });
});
