import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Column, firstAtLeast } from "../src/column.ts";

describe("a column", () => {
  it.each([
    ["bytes", Column.ofBytes(), 1, 255],
    ["counts", Column.ofCounts(), 4, 2 ** 32 - 1],
    ["numbers", Column.ofNumbers(), 8, -1.5],
  ])("of %s has what was added, however much, and takes little more memory than that", (_name, column, bytes, odd) => {
    for (let index = 0; index < 30_000; index++) column.push(index === 20_000 ? odd : index % 200);
    expect(column.length).toBe(30_000);
    for (const index of [0, 31, 32, 8191, 8192, 29_999]) expect(column.at(index)).toBe(index % 200);
    expect(column.at(20_000)).toBe(odd);
    expect(column.at(30_001)).toBe(0);
    expect(column.bytes).toBeLessThanOrEqual((30_000 + 8192) * bytes);
  });

  it("of a few is small", () => {
    const column = Column.ofNumbers();
    column.push(1);
    expect(column.bytes).toBeLessThanOrEqual(256);
  });
});

describe("the first place that is at least a value", () => {
  it("is the one that looking at each would find", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.double({ min: -1, max: 22 }), (numbers, value) => {
        const ascending = numbers.toSorted((one, other) => one - other);
        const found = ascending.findIndex((number) => number >= value);
        const expected = found === -1 || Number.isNaN(value) ? ascending.length : found;
        if (Number.isNaN(value)) return;
        expect(firstAtLeast((index) => ascending[index] ?? 0, ascending.length, value)).toBe(expected);
      }),
    );
  });
});
