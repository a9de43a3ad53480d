import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type NoteFixture, noteFixture } from "./note-fixture.ts";
import { PROJECT, refusal, SESSION } from "./store-fixture.ts";

let fixture: NoteFixture;

beforeEach(async () => {
  fixture = await noteFixture();
});

describe("who may be changed", () => {
  it.each(["@projects/app-0a1b2c3d/a", "@sessions/session-1/a", "@projects/other-11111111/a"])(
    "%s refuses every mutation: it is addressed by its name",
    async (address) => {
      fixture.noteFile(`${PROJECT}/a.md`);
      fixture.noteFile(`${SESSION}/a.md`);
      fixture.noteFile("human/b.md");
      for (const options of [{ crumpled: true }, { origin: "user" as const }, { renameTo: "@human/c" }])
        expect((await refusal(fixture.store.update(address, [], options))).code).toBe("read_only");
      expect((await refusal(fixture.store.update(address, [{ oldText: "old", newText: "x" }]))).code).toBe("read_only");
      expect((await refusal(fixture.store.rename("@human/b", address))).code).toBe("read_only");
    },
  );

  it.each(["@agents/other/a", "@models/other/a"])(
    "%s can be crumpled and brought back, and nothing else",
    async (address) => {
      const path = `${address.slice(1)}.md`;
      fixture.noteFile(path);
      expect((await fixture.store.update(address, [], { crumpled: true })).meta.crumpledAt).toMatch(/Z$/u);
      expect((await fixture.store.update(address, [], { crumpled: false })).meta.crumpledAt).toBeUndefined();
      for (const options of [
        { origin: "user" as const },
        { renameTo: "@human/c" },
        { crumpled: true, origin: "user" as const },
      ])
        expect((await refusal(fixture.store.update(address, [], options))).code).toBe("read_only");
      expect((await refusal(fixture.store.update(address, [{ oldText: "old", newText: "x" }]))).code).toBe("read_only");
      fixture.noteFile("human/b.md");
      expect((await refusal(fixture.store.rename("@human/b", address))).code).toBe("read_only");
      expect(fixture.text(path)).toContain("old text");
    },
  );
});

describe("a file that is no note", () => {
  it.each<[string, Uint8Array]>([
    ["not_utf8", Uint8Array.of(0x61, 0x0a, 0xe9, 0x0a)],
    ["too_large", Buffer.alloc(1_048_577, "a")],
  ])("is refused with %s by every change, and left byte for byte", async (code, bytes) => {
    const file = fixture.given("human/a.md", bytes);
    for (const change of [
      () => fixture.store.update("@human/a", [{ oldText: "a", newText: "b" }]),
      () => fixture.store.update("@human/a", [], { crumpled: true }),
      () => fixture.store.update("@human/a", [], { origin: "user" }),
      () => fixture.store.rename("@human/a", "@human/b"),
      () => fixture.store.write("@human/a", "new"),
    ])
      expect(await refusal(change())).toMatchObject({ code, address: "@human/a.md" });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(join(fixture.home, "human"))).toEqual(["a.md"]);
  });
});
