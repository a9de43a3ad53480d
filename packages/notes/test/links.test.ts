import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore, type NotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

let outside: string;
let home: string;
let store: NotesStore;
beforeEach(async () => {
  outside = join(await temporaryFolder(), "outside");
  home = join(await temporaryFolder(), "notes");
  for (const folder of [outside, join(home, "human"), join(home, "shared")]) mkdirSync(folder, { recursive: true });
  store = createNotesStore(identityIn(home));
});

const outsideHome = expect.objectContaining({
  code: "outside_home",
  message: expect.stringMatching(/^@human\/\S+ leads out of the notes home by a link; /u),
});

describe("a link", () => {
  it("out of the home is refused, on the way and at the note itself", async () => {
    writeFileSync(join(outside, "passwd.md"), "secret");
    symlinkSync(outside, join(home, "human", "skills"));
    symlinkSync(join(outside, "passwd.md"), join(home, "human", "p.md"));
    await expect(store.read("@human/skills/passwd")).rejects.toThrow(outsideHome);
    await expect(store.read("@human/p")).rejects.toThrow(outsideHome);
    await expect(store.write("@human/p", "x")).rejects.toThrow(outsideHome);
    expect(readFileSync(join(outside, "passwd.md"), "utf8")).toBe("secret");
  });

  it("out of the home is refused before anything is created", async () => {
    symlinkSync(outside, join(home, "human", "out"));
    await expect(store.write("@human/out/new/deep.md", "x")).rejects.toThrow(outsideHome);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("out of the home is refused at every change, and at a move both ways", async () => {
    writeFileSync(join(outside, "passwd.md"), "secret");
    writeFileSync(join(home, "human", "a.md"), "mine");
    symlinkSync(outside, join(home, "human", "out"));
    for (const change of [
      () => store.update("@human/out/passwd", [{ oldText: "secret", newText: "x" }]),
      () => store.update("@human/out/passwd", [], { crumpled: true }),
      () => store.rename("@human/out/passwd", "@human/b"),
      () => store.rename("@human/a", "@human/out/new/deep"),
    ])
      await expect(change()).rejects.toThrow(outsideHome);
    expect(readdirSync(outside)).toEqual(["passwd.md"]);
    expect(readFileSync(join(outside, "passwd.md"), "utf8")).toBe("secret");
    expect(readdirSync(join(home, "human")).toSorted()).toEqual(["a.md", "out"]);
  });

  it("out of the home that dangles is refused, and does not create its target", async () => {
    symlinkSync(join(outside, "new.md"), join(home, "human", "dangling.md"));
    symlinkSync("../../outside/new.md", join(home, "human", "relative.md"));
    await expect(store.write("@human/dangling", "x")).rejects.toThrow(outsideHome);
    await expect(store.write("@human/relative", "x")).rejects.toThrow(outsideHome);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("of a whole notebook out of the home is refused", async () => {
    mkdirSync(join(home, "agents"));
    symlinkSync(outside, join(home, "agents", "pi"));
    await expect(store.write("@self/a", "x")).rejects.toMatchObject({ code: "outside_home" });
  });

  it("inside the home is written through: link, target and mode stay", async () => {
    const target = join(home, "shared", "real.md");
    writeFileSync(target, "---\norigin: user\n---\nold", { mode: 0o640 });
    symlinkSync("../shared/real.md", join(home, "human", "a.md"));
    await store.write("@human/a", "new");
    await store.read("@human/a");
    expect(readlinkSync(join(home, "human", "a.md"))).toBe("../shared/real.md");
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, "utf8")).toMatch(/origin: user\n[^]*accessCount: 1\n---\nnew$/u);
  });

  it("inside the home stays where its note is read, edited and crumpled, and so does the mode of its target", async () => {
    const target = join(home, "shared", "real.md");
    const link = join(home, "human", "a.md");
    writeFileSync(target, "---\norigin: user\n---\nold", { mode: 0o600 });
    symlinkSync("../shared/real.md", link);
    for (const work of [
      () => store.read("@human/a"),
      () => store.update("@human/a", [{ oldText: "old", newText: "new" }]),
      () => store.update("@human/a", [], { crumpled: true }),
    ]) {
      const { ino } = statSync(target);
      await work();
      expect(statSync(target).ino).not.toBe(ino);
      expect(readlinkSync(link)).toBe("../shared/real.md");
      expect(statSync(target).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(target, "utf8")).toMatch(/accessCount: 1\n[^]*crumpledAt: .*\n---\nnew$/u);
  });

  it("inside the home that dangles is written through to the place that it names", async () => {
    symlinkSync("../shared/later.md", join(home, "human", "a.md"));
    expect(await store.read("@human/a")).toBeUndefined();
    expect((await store.write("@human/a", "x")).outcome).toBe("created");
    expect(lstatSync(join(home, "human", "a.md")).isSymbolicLink()).toBe(true);
    expect((await store.read("@human/a"))?.body).toBe("x");
    expect(existsSync(join(home, "shared", "later.md"))).toBe(true);
  });

  it("that dangles is followed as the system does: there is no way up from a folder that is not there", async () => {
    writeFileSync(join(home, "human", "x.md"), "another note");
    symlinkSync("missing/../x.md", join(home, "human", "a.md"));
    expect(await store.read("@human/a").catch((error: unknown) => error)).toMatchObject({ code: "io" });
    await expect(store.write("@human/a", "y")).rejects.toMatchObject({ code: "io" });
    expect(readFileSync(join(home, "human", "x.md"), "utf8")).toBe("another note");

    mkdirSync(join(home, "human", "deep", "er"), { recursive: true });
    symlinkSync("deep/er", join(home, "human", "d"));
    symlinkSync("d/../new.md", join(home, "human", "b.md"));
    await store.write("@human/b", "y");
    expect(readdirSync(join(home, "human", "deep"))).toEqual(["er", "new.md"]);
  });

  it("in a circle is a failure of the file system, named by its address", async () => {
    symlinkSync("b.md", join(home, "human", "a.md"));
    symlinkSync("a.md", join(home, "human", "b.md"));
    await expect(store.read("@human/a")).rejects.toMatchObject({
      code: "io",
      message: expect.stringMatching(/@human\/a\.md.*\(ELOOP\)$/u),
    });
  });

  it("as the home itself is followed", async () => {
    const link = join(outside, "home");
    symlinkSync(home, link);
    await createNotesStore(identityIn(link)).write("@human/a", "x");
    expect(existsSync(join(home, "human", "a.md"))).toBe(true);
  });
});

describe("a name that lies decomposed on disk", () => {
  it("is found under its composed address, and keeps its bytes on disk", async () => {
    writeFileSync(join(home, "human", "cafe\u0301.md"), "---\norigin: user\n---\nold");
    expect((await store.read("@human/caf\u00e9"))?.body).toBe("old");
    expect((await store.write("@human/caf\u00e9", "new")).outcome).toBe("overwritten");
    expect(readdirSync(join(home, "human"))).toEqual(["cafe\u0301.md"]);
  });

  it("is found in folders on the way, and for singletons that compose to another letter", async () => {
    mkdirSync(join(home, "human", "A\u030angstro\u0308m"));
    writeFileSync(join(home, "human", "A\u030angstro\u0308m", "\u2126.md"), "ohm");
    expect((await store.read("@human/Ångström/\u03a9"))?.body).toBe("ohm");
    writeFileSync(join(home, "human", "\u212a.md"), "the sign of Kelvin, which composes to a letter of ASCII");
    expect((await store.read("@human/K"))?.body).toContain("Kelvin");
  });

  it("is edited, crumpled and moved under its composed address, and moved to a composed name", async () => {
    writeFileSync(join(home, "human", "cafe\u0301.md"), "old");
    await store.update("@human/cafe\u0301", [{ oldText: "old", newText: "new" }], { crumpled: true });
    expect(readdirSync(join(home, "human"))).toEqual(["cafe\u0301.md"]);
    expect((await store.rename("@human/caf\u00e9", "@human/the\u0301")).address).toBe("@human/th\u00e9.md");
    expect(readdirSync(join(home, "human"))).toEqual(["th\u00e9.md"]);
    expect((await store.read("@human/th\u00e9"))?.body).toBe("new");
  });

  it("gives way to the composed one where both exist", async () => {
    writeFileSync(join(home, "human", "cafe\u0301.md"), "decomposed");
    writeFileSync(join(home, "human", "caf\u00e9.md"), "composed");
    expect((await store.read("@human/cafe\u0301"))?.body).toBe("composed");
  });
});
