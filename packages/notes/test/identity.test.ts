import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { createNotesStore, type NotesIdentity } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

const OTHERS = { sessionId: "session-2", projectKey: "other-11111111", agent: "other", model: "other-model" };

/** The files below a folder, by their paths in it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

describe("the identity of a store", () => {
  it.each<[keyof NotesIdentity, string]>([
    ["home", ""],
    ["home", "a\0b"],
    ["sessionId", ""],
    ["sessionId", ".."],
    ["sessionId", "a/b"],
    ["sessionId", "-a"],
    ["sessionId", "a."],
    ["sessionId", "nul"],
    ["sessionId", "aux.log"],
    ["sessionId", "COM1"],
    ["sessionId", "a".repeat(129)],
    ["projectKey", "a\nb"],
    ["projectKey", "é"],
    ["agent", "Pi"],
    ["agent", ""],
    ["agent", "nul"],
    ["agent", "a".repeat(65)],
    ["model", "anthropic/opus"],
  ])("refuses %s %j by the name of the field, in one line", (field, value) => {
    expect(() => createNotesStore(identityIn("/home", { [field]: value }))).toThrow(
      expect.objectContaining({
        name: "NoteError",
        code: "invalid_identity",
        message: expect.stringMatching(new RegExp(`^identity\\.${field} is .* must be .+$`, "u")),
      }),
    );
  });

  it.each<keyof NotesIdentity>(["home", "sessionId", "projectKey", "agent", "model"])(
    "needs %s, and refuses to do without",
    (field) => {
      const { [field]: _absent, ...others } = identityIn("/home");
      expect(() => createNotesStore(others as NotesIdentity)).toThrow(
        expect.objectContaining({
          code: "invalid_identity",
          message: expect.stringContaining(`identity.${field} is a value of type undefined`),
        }),
      );
    },
  );

  it.each<keyof NotesIdentity>(["home", "sessionId", "projectKey", "agent", "model"])(
    "refuses a %s that is far too long by its length, in a short message",
    (field) => {
      const value = "a\u0301\u0316".repeat(1_000_000);
      expect(() => createNotesStore(identityIn("/home", { [field]: value }))).toThrow(
        expect.objectContaining({
          code: "invalid_identity",
          message: expect.stringMatching(
            new RegExp(`^identity\\.${field} is a text of 3000000 characters; .{1,200}$`, "u"),
          ),
        }),
      );
    },
  );

  it.each([null, undefined, "home"])("refuses %j in its place", (value) => {
    expect(() => createNotesStore(value as unknown as NotesIdentity)).toThrow(
      expect.objectContaining({ code: "invalid_identity" }),
    );
  });

  it("refuses a field of another type", () => {
    expect(() => createNotesStore({ ...identityIn("/home"), agent: 5 as unknown as string })).toThrow(
      /identity\.agent is a value of type number/u,
    );
  });

  it("takes what is at the bounds", () => {
    expect(() =>
      createNotesStore(
        identityIn("/home", { sessionId: `0${"a".repeat(127)}`, agent: "a".repeat(64), model: "gpt-4.1" }),
      ),
    ).not.toThrow();
  });

  it("is copied when the store is made", async () => {
    const home = await temporaryFolder();
    const identity: { -readonly [Field in keyof NotesIdentity]: string } = { ...identityIn(home) };
    const store = createNotesStore(identity);
    Object.assign(identity, identityIn(join(home, "elsewhere"), OTHERS));
    for (const address of ["a", "@project/a", "@self/a", "@model/a"]) await store.write(address, "x");
    expect(filesIn(home)).toEqual([
      "agents/pi/a.md",
      "models/some-model/a.md",
      "pi/session/session-1/a.md",
      "project/app-0a1b2c3d/a.md",
    ]);
  });

  it("has its home made absolute once, when the store is made", async () => {
    const folder = await temporaryFolder();
    const before = process.cwd();
    process.chdir(folder);
    try {
      const store = createNotesStore(identityIn("notes"));
      mkdirSync("elsewhere");
      process.chdir("elsewhere");
      await store.write("@human/a", "x");
    } finally {
      process.chdir(before);
    }
    expect(filesIn(folder)).toEqual(["notes/human/a.md"]);
  });

  it("is each store's own: several in one process keep apart what differs, and share what does not", async () => {
    const [home, otherHome] = [await temporaryFolder(), await temporaryFolder()];
    const store = createNotesStore(identityIn(home));
    const colleague = createNotesStore(identityIn(home, OTHERS));
    const elsewhere = createNotesStore(identityIn(otherHome));
    for (const [name, each] of Object.entries({ store, colleague, elsewhere }))
      for (const address of ["a", "@project/a", "@self/a", "@model/a"]) await each.write(address, name);
    for (const address of ["a", "@project/a", "@self/a", "@model/a"]) {
      const bodies = await Promise.all([store, colleague, elsewhere].map(async (each) => each.read(address)));
      expect(bodies.map((note) => note?.body)).toEqual(["store", "colleague", "elsewhere"]);
    }
    await colleague.write("@human/a", "of one person");
    expect((await store.read("@human/a"))?.body).toBe("of one person");
    expect(await elsewhere.read("@human/a")).toBeUndefined();
  });

  it("creates nothing until something is written", async () => {
    const home = join(await temporaryFolder(), "notes");
    const store = createNotesStore(identityIn(home));
    expect(await store.read("a")).toBeUndefined();
    expect(await store.list({ glob: "**" })).toEqual([]);
    expect(await store.search(["a"])).toEqual([]);
    await expect(store.update("a", [], { crumpled: true })).rejects.toMatchObject({ code: "not_found" });
    await expect(store.rename("a", "b")).rejects.toMatchObject({ code: "not_found" });
    expect(existsSync(home)).toBe(false);
  });

  it("changes nothing that lies in its home, and moves nothing to another form, by being opened or queried", async () => {
    const home = await temporaryFolder();
    const file = join(home, "human", "a.md");
    mkdirSync(join(home, "human"));
    writeFileSync(file, "---\ncreated_at: 2020-01-01\nupdatedAt: 2021-01-01\n---\nold");
    const before = { ...statSync(file), atimeMs: 0, atime: 0 };
    const store = createNotesStore(identityIn(home));
    await store.list({ glob: "**" });
    await store.search(["old"], { glob: "**" });
    expect({ ...statSync(file), atimeMs: 0, atime: 0 }).toEqual(before);
    expect(filesIn(home)).toEqual(["human/a.md"]);
  });
});
