import { expect, it } from "vitest";
import { pluginSettings } from "../src/module/options.ts";

it("nothing that is set: the defaults", () => {
  expect(pluginSettings({ notesHome: "", agent: "" })).toEqual({
    notesHome: null,
    agent: null,
    reminderMarginTokens: 24_576,
    lastWordMarginTokens: 12_288,
    autoReset: true,
    warnings: [],
  });
});

it("what is set stands", () => {
  const set = { notesHome: "~/n", agent: "Ada", reminderMarginTokens: 5, lastWordMarginTokens: 0, autoReset: false };
  expect(pluginSettings(set)).toEqual({ ...set, warnings: [] });
});

it("what cannot be used is ignored, with a line that names it", () => {
  const { warnings, ...values } = pluginSettings({
    notesHome: 3,
    reminderMarginTokens: -1,
    autoReset: "yes",
    other: 1,
  });
  expect(values).toEqual({
    notesHome: null,
    agent: null,
    reminderMarginTokens: 24_576,
    lastWordMarginTokens: 12_288,
    autoReset: true,
  });
  expect(warnings.map((line) => line.split(" ").slice(0, 5).join(" "))).toEqual([
    "the setting notesHome was ignored:",
    "the setting reminderMarginTokens was ignored:",
    "the setting autoReset was ignored:",
    "the setting other was ignored:",
  ]);
});
