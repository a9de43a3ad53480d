import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createNotesStore } from "@notesoup/notes";
import { temporaryFolder } from "@notesoup/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { notebookLoader } from "../src/index.ts";
import { type BootFixture, bootFixture, PROJECT, SESSION, timeAt } from "./boot-fixture.ts";

let fixture: BootFixture;
beforeEach(async () => {
  fixture = await bootFixture();
});

const EMPTY = { status: "ready", map: null, notes: [], unavailable: [] };

describe("the notebooks of a store", () => {
  it("hold their own notes each, at any depth, and no notes of others", async () => {
    for (const place of [SESSION, PROJECT, "human", "agents/pi", "models/some-model"]) {
      fixture.given(`${place}/MAP.md`, `the map of ${place}\n`);
      fixture.given(`${place}/a.md`, "a");
      fixture.given(`${place}/.hidden/deep/b.md`, "bb");
    }
    for (const place of ["pi/session/other", "project/other-11111111", "agents/other", "models/other"])
      fixture.given(`${place}/x.md`, "of another");
    const load = notebookLoader(fixture.identity);
    const updatedAt = timeAt(0);
    for (const [notebook, prefix, place] of [
      ["session", "", SESSION],
      ["project", "@project/", PROJECT],
      ["human", "@human/", "human"],
      ["agent", "@self/", "agents/pi"],
      ["model", "@model/", "models/some-model"],
    ] as const) {
      const body = `the map of ${place}\n`;
      expect(await load(notebook)).toEqual({
        status: "ready",
        map: { address: `${prefix}MAP.md`, bytes: body.length, updatedAt, body },
        notes: [
          { address: `${prefix}.hidden/deep/b.md`, bytes: 2, updatedAt },
          { address: `${prefix}a.md`, bytes: 1, updatedAt },
        ],
        unavailable: [],
      });
    }
  });

  it("are empty where nothing is written, and no folder is made", async () => {
    expect(await notebookLoader(fixture.identity)("human")).toEqual(EMPTY);
    expect(() => readFileSync(fixture.home)).toThrow("ENOENT");
  });

  it("leave crumpled notes out, a crumpled map too", async () => {
    const store = createNotesStore(fixture.identity);
    for (const address of ["@human/MAP.md", "@human/a.md"]) {
      await store.write(address, "text");
      await store.update(address, [], { crumpled: true });
    }
    expect(await notebookLoader(fixture.identity)("human")).toEqual(EMPTY);
  });

  it("count no access", async () => {
    fixture.given("human/MAP.md", "map");
    const before = readFileSync(join(fixture.home, "human/MAP.md"), "utf8");
    await notebookLoader(fixture.identity)("human");
    expect(readFileSync(join(fixture.home, "human/MAP.md"), "utf8")).toBe(before);
  });

  it("name a note that cannot be read, and keep the others", async () => {
    fixture.file("human/MAP.md", Uint8Array.of(0xe9, 0x0a));
    fixture.file("human/large.md", "x".repeat(1_048_577));
    fixture.given("human/a.md", "a");
    expect(await notebookLoader(fixture.identity)("human")).toEqual({
      status: "ready",
      map: null,
      notes: [{ address: "@human/a.md", bytes: 1, updatedAt: timeAt(0) }],
      unavailable: [
        { address: "@human/MAP.md", code: "not_utf8" },
        { address: "@human/large.md", code: "too_large" },
      ],
    });
  });

  it("are unreadable where a file stands in the place of the folder", async () => {
    fixture.file("human", "a file");
    fixture.file(SESSION, "a file");
    expect(await notebookLoader(fixture.identity)("human")).toEqual({ status: "unreadable", code: "io" });
    expect(await notebookLoader(fixture.identity)("session")).toEqual({ status: "unreadable", code: "io" });
  });

  it("are unreadable where the folder is a link out of the home", async () => {
    mkdirSync(join(fixture.home, "project"), { recursive: true });
    symlinkSync(await temporaryFolder(), join(fixture.home, PROJECT));
    expect(await notebookLoader(fixture.identity)("project")).toEqual({ status: "unreadable", code: "outside_home" });
  });
});
