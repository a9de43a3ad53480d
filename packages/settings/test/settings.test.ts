import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, parseSettings } from "../src/index.ts";

const known = "agent, enabled, reminderMarginTokens, lastWordMarginTokens, autoReset, widget";

describe("DEFAULT_SETTINGS", () => {
  it("reminds, has a last word and a reset, and shows nothing on the screen", () => {
    expect(DEFAULT_SETTINGS).toEqual({
      agent: undefined,
      enabled: true,
      reminderMarginTokens: 24_576,
      lastWordMarginTokens: 12_288,
      autoReset: true,
      widget: false,
    });
  });
});

describe("parseSettings", () => {
  it.each([undefined, null, {}])("leaves everything at its default for %j, without a warning", (raw) => {
    expect(parseSettings(raw)).toEqual({ values: DEFAULT_SETTINGS, warnings: [] });
  });

  it.each([
    { agent: "Reviewer" },
    { enabled: false },
    { reminderMarginTokens: 50_000 },
    { lastWordMarginTokens: 0 },
    { autoReset: false },
    { widget: true },
    {
      agent: "a",
      enabled: false,
      reminderMarginTokens: 1,
      lastWordMarginTokens: 2,
      autoReset: false,
      widget: true,
    },
  ])("takes %j, and the defaults for the rest", (raw) => {
    expect(parseSettings(raw)).toEqual({ values: { ...DEFAULT_SETTINGS, ...raw }, warnings: [] });
  });

  it.each([
    [{ agent: 5 }, "notesoup.agent", "expected a name, found 5"],
    [{ agent: "  " }, "notesoup.agent", "expected a name, found an empty text"],
    [{ agent: null }, "notesoup.agent", "expected a name, found null"],
    [{ enabled: "yes" }, "notesoup.enabled", "expected true or false, found a value of type string"],
    [{ autoReset: 0 }, "notesoup.autoReset", "expected true or false, found 0"],
    [{ autoReset: null }, "notesoup.autoReset", "expected true or false, found null"],
    [{ widget: [] }, "notesoup.widget", "expected true or false, found a list"],
    [
      { reminderMarginTokens: -1 },
      "notesoup.reminderMarginTokens",
      "expected a whole number of tokens, 0 or more, found -1",
    ],
    [
      { reminderMarginTokens: Number.NaN },
      "notesoup.reminderMarginTokens",
      "expected a whole number of tokens, 0 or more, found NaN",
    ],
    [
      { lastWordMarginTokens: 0.5 },
      "notesoup.lastWordMarginTokens",
      "expected a whole number of tokens, 0 or more, found 0.5",
    ],
    [
      { lastWordMarginTokens: "12k" },
      "notesoup.lastWordMarginTokens",
      "expected a whole number of tokens, 0 or more, found a value of type string",
    ],
    [{ agnet: "x" }, "notesoup.agnet", `is not a setting; known: ${known}`],
    [{ constructor: 1 }, "notesoup.constructor", `is not a setting; known: ${known}`],
    [JSON.parse('{"__proto__":{"widget":true}}'), "notesoup.__proto__", `is not a setting; known: ${known}`],
    ["pi", "notesoup", "expected an object, found a value of type string"],
    [["pi"], "notesoup", "expected an object, found a list"],
  ])("ignores %j with one warning that names its key", (raw, key, message) => {
    expect(parseSettings(raw)).toEqual({ values: DEFAULT_SETTINGS, warnings: [{ key, message }] });
  });

  it("keeps the good ones beside bad ones, each of which has its warning", () => {
    const { values, warnings } = parseSettings({ colour: "red", agent: "a", widget: 1, autoReset: false });
    expect(values).toEqual({ ...DEFAULT_SETTINGS, agent: "a", autoReset: false });
    expect(warnings.map(({ key }) => key)).toEqual(["notesoup.colour", "notesoup.widget"]);
  });

  it("gives every key a value of its type, and never throws", () => {
    const anyValues = fc.dictionary(fc.constantFrom(...Object.keys(DEFAULT_SETTINGS), "other"), fc.anything());
    fc.assert(
      fc.property(fc.oneof(fc.anything(), anyValues), (raw) => {
        const { values } = parseSettings(raw);
        expect(Object.keys(values)).toEqual(Object.keys(DEFAULT_SETTINGS));
        expect(["string", "undefined"]).toContain(typeof values.agent);
        for (const key of ["enabled", "autoReset", "widget"] as const) expect(typeof values[key]).toBe("boolean");
        for (const key of ["reminderMarginTokens", "lastWordMarginTokens"] as const) {
          expect(Number.isSafeInteger(values[key]) && values[key] >= 0).toBe(true);
        }
      }),
    );
  });
});
