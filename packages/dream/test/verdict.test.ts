import { describe, expect, it } from "vitest";
import { isTooMuch, verdictOn } from "../src/verdict.ts";
import { noteText } from "./dream-fixture.ts";

const before = Buffer.from(noteText("one\ntwo\nthree\nfour\n"));
const after = (body: string, lines = {}): Buffer => Buffer.from(noteText(body, lines));

describe("the verdict on a note", () => {
  it.each([
    ["kept where a line was corrected", after("one\ntwo\nTHREE\nfour\n"), "kept"],
    ["kept where something was added, and the order is another", after("four\nthree\ntwo\none\nfive\n"), "kept"],
    [
      "kept where only metadata changed",
      after("one\ntwo\nthree\nfour\n", { updatedAt: "2026-11-02T00:00:00.000Z" }),
      "kept",
    ],
    ["rewritten where one line is left of it", after("summary\n"), "rewritten"],
    ["rewritten where it is empty", after(""), "rewritten"],
    ["rewritten where it is no text any more", Buffer.from([0xff, 0xfe]), "rewritten"],
    [
      "crumpled where it was set aside",
      after("one\ntwo\nthree\nfour\n", { crumpledAt: "2026-11-02T00:00:00.000Z" }),
      "crumpled",
    ],
    [
      "rewritten, and no less, where it was emptied and set aside",
      after("", { crumpledAt: "2026-11-02T00:00:00.000Z" }),
      "rewritten",
    ],
    ["moved where it is no longer there", undefined, "moved"],
  ])("is %s", (_name, now, verdict) => {
    expect(verdictOn(before, now)).toBe(verdict);
  });

  it("is kept where a word of a long line is corrected, in scripts without spaces too", () => {
    expect(verdictOn(after("deploy with make release on Friday"), after("deploy with make ship on Friday"))).toBe(
      "kept",
    );
    expect(verdictOn(after("東京都に住んでいます"), after("京都に住んでいます"))).toBe("kept");
    expect(verdictOn(after("東京都に住んでいます"), after("要約"))).toBe("rewritten");
  });

  it("is kept of an empty note that stays empty, and of a repeated line that stays as often", () => {
    expect(verdictOn(after(""), after(""))).toBe("kept");
    expect(verdictOn(after("a\na\na\n"), after("a\n"))).toBe("rewritten");
    expect(verdictOn(after("a\na\na\n"), after("a\na\na\n"))).toBe("kept");
  });
});

it.each([
  [4, 10, false],
  [5, 10, true],
  [1, 2, true],
  [1, 3, false],
  [0, 0, false],
  [1, 0, true],
])("takes %i of %i notes for too much: %s", (touched, notes, tooMuch) => {
  expect(isTooMuch(touched, notes)).toBe(tooMuch);
});
