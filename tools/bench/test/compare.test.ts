import { expect, it } from "vitest";
import { compare, median } from "../src/compare.ts";
import { report } from "../src/report.ts";

it("runs both jobs in turns, as often as each other, and takes the middle ratio", async () => {
  const calls = { ours: 0, theirs: 0 };
  const measured = await compare({
    name: "a job",
    rival: "another",
    atMost: 2,
    ours: () => void calls.ours++,
    theirs: () => void calls.theirs++,
  });
  expect(calls.ours).toBeGreaterThan(0);
  expect(calls.theirs).toBeGreaterThan(0);
  expect(measured).toMatchObject({ name: "a job", rival: "another", atMost: 2, ratio: expect.any(Number) });
});

it("takes the middle value, and none of nothing", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(() => median([])).toThrow("no median");
});

it("says in the tables where a bound is missed", () => {
  const row = { name: "a", rival: "b", oursMs: 2, theirsMs: 1, ratio: 2, atMost: 1.5 };
  const text = report([row], [{ name: "c", unit: "ms", value: 49, atMost: 50 }], "2026-11-30");
  expect(text).toContain("| a   | b     | 2.00     | 1.00      | 2.00  | 1.5, missed |");
  expect(text).toContain("| c      | 49.0 ms  | 50      |");
});
