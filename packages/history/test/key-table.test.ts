import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf } from "../src/key.ts";
import { KeyTable } from "../src/key-table.ts";

describe("the key of an id", () => {
  it("is a whole number of 53 bits, the same for the same id and another for another", () => {
    const ids = Array.from({ length: 50_000 }, (_, at) => `4e3686cb-9709-4c58-85d1-${at.toString(16)}`);
    const keys = ids.map(keyOf);
    expect(keys.every((key) => Number.isSafeInteger(key) && key >= 0)).toBe(true);
    expect(new Set(keys).size).toBe(ids.length);
    expect(ids.map(keyOf)).toEqual(keys);
  });
});

describe("a table of keys", () => {
  it("has what a map would have", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.nat())), fc.string(), (entries, other) => {
        const table = new KeyTable();
        const map = new Map(entries);
        for (const [id, value] of entries) table.set(id, value);
        expect(table.size).toBe(map.size);
        for (const id of [...map.keys(), other]) {
          expect(table.get(id)).toBe(map.get(id));
          expect(table.has(id)).toBe(map.has(id));
        }
      }),
    );
  });

  it("grows, in less memory than ids would take", () => {
    const table = new KeyTable();
    for (let at = 0; at < 20_000; at++) table.set(`id ${at}`, at);
    for (const at of [0, 47, 48, 19_999]) expect(table.get(`id ${at}`)).toBe(at);
    expect(table.bytes).toBeLessThanOrEqual(20_000 * 24 * 1.4);
  });
});
