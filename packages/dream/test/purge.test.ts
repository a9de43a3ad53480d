import { describe, expect, it } from "vitest";
import { purgeable, purgeLimit } from "../src/purge.ts";
import type { BaselineNote } from "../src/run-files.ts";

const NOW = Date.parse("2026-12-01T00:00:00.000Z");
const LONG_AGO = "2026-11-01T00:00:00.000Z";

const note = (name: string, traits: Partial<BaselineNote> = {}): BaselineNote => ({
  address: `@human/${name}.md`,
  path: `human/${name}.md`,
  notebook: "human",
  version: "",
  bytes: 1,
  updatedAt: LONG_AGO,
  lastAccessed: null,
  accessCount: 0,
  crumpledAt: LONG_AGO,
  changed: false,
  isLinked: false,
  ...traits,
});
const purged = (notes: readonly BaselineNote[], live = ["human"]): string[] =>
  purgeable(notes, new Set(live), NOW).map(({ address }) => address);

describe("what plain code may delete", () => {
  it("is a note that was crumpled 30 days ago", () => {
    expect(purged([note("a")])).toEqual(["@human/a.md"]);
    expect(purged([note("a", { lastAccessed: "2026-10-31T00:00:00.000Z" })])).toEqual(["@human/a.md"]);
  });

  it.each<[string, Partial<BaselineNote>]>([
    ["live", { crumpledAt: null }],
    ["crumpled a moment later than 30 days ago", { crumpledAt: "2026-11-01T00:00:00.001Z" }],
    ["read since it was crumpled", { lastAccessed: "2026-11-01T00:00:00.001Z" }],
    ["reached by a link", { isLinked: true }],
  ])("is none that is %s", (_what, traits) => {
    expect(purged([note("a", traits)])).toEqual([]);
  });

  it("is none of a notebook without a live note", () => {
    expect(purged([note("a")], [])).toEqual([]);
  });

  it("is first what was crumpled first", () => {
    const notes = ["20", "03", "11"].map((day) => note(`n${day}`, { crumpledAt: `2026-09-${day}T00:00:00.000Z` }));
    expect(purged(notes)).toEqual(["@human/n03.md", "@human/n11.md", "@human/n20.md"]);
  });

  it.each([
    [9, 0],
    [39, 3],
    [200, 20],
    [10_000, 20],
  ])("is of %i notes at most %i", (storeNotes, most) => {
    expect(purgeLimit(storeNotes)).toBe(most);
  });
});
