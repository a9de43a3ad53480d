import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import * as library from "../src/index.ts";
import { identityIn } from "./identities.ts";

describe("the library", () => {
  it("offers a store, its refusals, a project's key and a name's slug, and nothing of its insides", () => {
    expect(Object.keys(library).toSorted()).toEqual(["NoteError", "createNotesStore", "projectKey", "slugify"]);
  });

  it("opens a store and makes names at once, and does everything with notes in promises", async () => {
    const home = await temporaryFolder();
    expect(typeof library.projectKey(home)).toBe("string");
    expect(typeof library.slugify("Some Model")).toBe("string");
    const store = library.createNotesStore(identityIn(home));
    const promises = [
      store.write("a", "x"),
      store.read("a"),
      store.update("a", [], { origin: "user" }),
      store.rename("a", "b"),
      store.list(),
      store.search(["x"]),
    ];
    for (const promise of promises) expect(promise).toBeInstanceOf(Promise);
    await Promise.all(promises);
  });

  it("keeps a note from one store to the next: written, changed, read, listed and found, with no host", async () => {
    const identity = identityIn(await temporaryFolder());
    const notes = library.createNotesStore(identity);
    await notes.write("@project/decisions.md", "Use a shared notes library.", { origin: "user" });
    await notes.update("@project/decisions.md", [{ oldText: "shared", newText: "host-independent" }]);

    const next = library.createNotesStore({ ...identity, sessionId: "another-session" });
    expect(await next.read("@project/decisions.md")).toMatchObject({
      body: "Use a host-independent notes library.",
      meta: { origin: "user", accessCount: 1 },
    });
    expect((await next.list({ glob: "@project/**" })).map(({ address }) => address)).toEqual(["@project/decisions.md"]);
    expect((await next.search(["library"])).map(({ matches }) => matches)).toEqual([
      [{ line: 1, text: "Use a host-independent notes library.", offsetChars: 29 }],
    ]);
  });
});
