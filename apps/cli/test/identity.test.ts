import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { notesHome, requireOwner } from "../src/command/notes/identity.ts";
import { WrongUse } from "../src/command/refused.ts";

describe("notesHome", () => {
  it("is the flag, else the environment, else a folder of the person's", () => {
    expect(notesHome({ home: "here" }, { NOTESOUP_HOME: "/there" })).toBe(resolve("here"));
    expect(notesHome({}, { NOTESOUP_HOME: "/there" })).toBe("/there");
    expect(notesHome({}, { NOTESOUP_HOME: "" })).toBe(join(homedir(), ".agents", "notes"));
    expect(notesHome({}, {})).toBe(join(homedir(), ".agents", "notes"));
  });
});

describe("requireOwner", () => {
  it.each(["todo.md", "a/b", "@self/a.md", "@self", "@model/a.md"])("refuses %s without its flag", (address) => {
    expect(() => requireOwner(address, {})).toThrow(WrongUse);
    expect(() => requireOwner(address, { session: "s", agent: "a", model: "m" })).not.toThrow();
  });

  it.each(["@project/a.md", "@human/a.md", "@sessions/s/a.md", "@selfish/a.md"])(
    "leaves %s to the store",
    (address) => {
      expect(() => requireOwner(address, {})).not.toThrow();
    },
  );
});
