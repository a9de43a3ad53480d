import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSettings } from "../src/index.ts";

describe("parseSettings", () => {
  it.each([undefined, null, {}])("leaves everything at its default for %j, without a warning", (raw) => {
    expect(parseSettings(raw)).toEqual({ values: { agent: undefined }, warnings: [] });
  });

  it("takes the agent's name", () => {
    expect(parseSettings({ agent: "Reviewer" })).toEqual({ values: { agent: "Reviewer" }, warnings: [] });
  });

  it.each([
    [{ agent: 5 }, "notesoup.agent", "expected a name, found a value of type number"],
    [{ agent: "  " }, "notesoup.agent", "expected a name, found an empty text"],
    [{ agent: null }, "notesoup.agent", "expected a name, found null"],
    [{ agnet: "x" }, "notesoup.agnet", "is not a setting; known: agent"],
    ["pi", "notesoup", "expected an object, found a value of type string"],
    [["pi"], "notesoup", "expected an object, found a list"],
  ])("ignores %j with one warning that names its key", (raw, key, message) => {
    expect(parseSettings(raw)).toEqual({ values: { agent: undefined }, warnings: [{ key, message }] });
  });

  it("keeps the good ones beside a bad one", () => {
    expect(parseSettings({ colour: "red", agent: "a" }).values.agent).toBe("a");
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.anything(), (raw) => Array.isArray(parseSettings(raw).warnings)));
  });
});
