import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNotesStore, type NotesIdentity } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

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
    identity.home = join(home, "elsewhere");
    identity.projectKey = "other-11111111";
    await store.write("@project/a.md", "x");
    expect(existsSync(join(home, "project", "app-0a1b2c3d", "a.md"))).toBe(true);
  });

  it("creates nothing until something is written", async () => {
    const home = join(await temporaryFolder(), "notes");
    const store = createNotesStore(identityIn(home));
    expect(await store.read("a")).toBeUndefined();
    expect(existsSync(home)).toBe(false);
  });
});
