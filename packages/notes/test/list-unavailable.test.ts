import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { NoteQueryStatus } from "../src/index.ts";
import { isRoot, NOBODY, withStatus } from "./list-fixture.ts";
import { PROJECT, refusal, SESSION, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await storeFixture();
});

describe("what cannot be read", () => {
  it("is named, and the rest is given", async () => {
    for (let index = 0; index < 10; index++) fixture.given(`human/good${index}.md`, "x");
    fixture.given("human/bad.md", Buffer.from([0x61, 0xe9]));
    fixture.given("human/large.md", "x".repeat(1_048_577));
    mkdirSync(join(fixture.home, "human", "folder.md"));
    const { found, status } = await withStatus(fixture.store);
    expect(found.filter((address) => address.includes("good"))).toHaveLength(10);
    expect(status).toEqual({
      namespacesUnavailable: [],
      notesUnavailable: [
        { address: "@human/bad.md", code: "not_utf8" },
        { address: "@human/large.md", code: "too_large" },
      ],
    });
  });

  it("is named by a search too, once, before the search resolves", async () => {
    fixture.given("human/good.md", "x");
    fixture.given("human/bad.md", Buffer.from([0x78, 0xe9]));
    fixture.given("human/large.md", "x".repeat(1_048_577));
    const told: (NoteQueryStatus | string)[] = [];
    const rows = await fixture.store.search(["x"], { onStatus: (status) => void told.push(status) });
    told.push("resolved");
    expect(rows.map(({ address }) => address)).toEqual(["@human/good.md"]);
    expect(told).toEqual([
      {
        namespacesUnavailable: [],
        notesUnavailable: [
          { address: "@human/bad.md", code: "not_utf8" },
          { address: "@human/large.md", code: "too_large" },
        ],
      },
      "resolved",
    ]);
  });

  it("because it is too large is listed with its size", async () => {
    fixture.given("human/large.md", "x".repeat(2_000_000));
    expect(await fixture.store.list()).toMatchObject([{ address: "@human/large.md", bytes: 2_000_000, body: "" }]);
    expect(await fixture.store.search([])).toEqual([]);
  });

  it("because a link leads out of the home is named and not followed", async () => {
    const outside = await temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "secret");
    fixture.given("human/a.md", "x");
    symlinkSync(outside, join(fixture.home, "human", "skills"));
    symlinkSync(join(outside, "secret.md"), join(fixture.home, "human", "s.md"));
    mkdirSync(join(fixture.home, "agents"));
    symlinkSync(outside, join(fixture.home, "agents", "pi"));
    const { found, status } = await withStatus(fixture.store);
    expect(found).toEqual(["@human/a.md"]);
    expect(status).toEqual({
      namespacesUnavailable: ["@self"],
      notesUnavailable: [
        { address: "@human/s.md", code: "outside_home" },
        { address: "@human/skills", code: "outside_home" },
      ],
    });
    expect(await fixture.store.search(["secret"])).toEqual([]);
  });

  it("because its name is another form of another's is named as shadowed", async () => {
    fixture.given("human/cafe\u0301.md", "decomposed");
    fixture.given("human/caf\u00e9.md", "composed");
    const { status } = await withStatus(fixture.store);
    expect(status.notesUnavailable).toEqual([{ address: "@human/caf\u00e9.md", code: "shadowed" }]);
    expect((await fixture.store.list()).map(({ body }) => body)).toEqual(["composed"]);
  });

  it("because its name is none that an address can hold is named", async () => {
    fixture.given("human/a:b.md", "x");
    fixture.given("human/con.md", "x");
    fixture.given(`${SESSION}/@x.md`, "x");
    expect(
      (await withStatus(fixture.store)).status.notesUnavailable.map(({ address, code }) => `${address} ${code}`),
    ).toEqual(["@human/a:b.md invalid_address", "@human/con.md invalid_address", "@x.md invalid_address"]);
  });

  it("because its name on disk is not UTF-8 is named", async () => {
    fixture.given("human/a.md", "x");
    writeFileSync(
      Buffer.concat([Buffer.from(join(fixture.home, "human", "b")), Buffer.from([0xff]), Buffer.from(".md")]),
      "x",
    );
    expect(await withStatus(fixture.store)).toEqual({
      found: ["@human/a.md"],
      status: { namespacesUnavailable: [], notesUnavailable: [{ address: "@human/b\ufffd.md", code: "not_utf8" }] },
    });
  });

  it("because a file is in the place of the home is refused", async () => {
    writeFileSync(fixture.home, "a file");
    expect(await refusal(fixture.store.list())).toMatchObject({
      code: "io",
      message: expect.stringContaining("(ENOTDIR)"),
    });
  });

  it("is named only where the glob could match it", async () => {
    fixture.given("human/cafe\u0301.md", "decomposed");
    fixture.given("human/caf\u00e9.md", "composed");
    fixture.given("human/good.md", "x");
    expect((await withStatus(fixture.store, "@human/good.md")).status.notesUnavailable).toEqual([]);
  });

  it("is not what is missing: a missing folder is an empty notebook", async () => {
    expect(await withStatus(fixture.store, "**")).toEqual({
      found: [],
      status: { namespacesUnavailable: [], notesUnavailable: [] },
    });
  });

  it.runIf(isRoot)("because its folder is closed is named by its namespace, and the others are given", async () => {
    fixture.given("human/a.md", "x");
    fixture.given(`${PROJECT}/a.md`, "x");
    fixture.given(`${SESSION}/deep/a.md`, "x");
    for (const path of ["", "human", "project", "pi", "pi/session", SESSION])
      chmodSync(join(fixture.home, path), 0o755);
    chmodSync(join(fixture.home, ".."), 0o755);
    chmodSync(join(fixture.home, PROJECT), 0);
    chmodSync(join(fixture.home, SESSION, "deep"), 0);
    chmodSync(join(fixture.home, "human", "a.md"), 0o644);
    process.seteuid?.(NOBODY);
    try {
      expect(await withStatus(fixture.store)).toEqual({
        found: ["@human/a.md"],
        status: { namespacesUnavailable: ["@project"], notesUnavailable: [{ address: "deep/", code: "io" }] },
      });
    } finally {
      process.seteuid?.(0);
    }
  });
});
