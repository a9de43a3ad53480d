import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { piWire } from "../src/wire/pi.ts";
import { assistant, entry, recordsOf, SAMPLES, take, text, wholeText } from "./wire-pi-fixture.ts";

describe("whatever a record is", () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
    fc.constantFrom<unknown>(
      undefined,
      null,
      "",
      "\ud800",
      Infinity,
      "assistant",
      "toolResult",
      "bashExecution",
      [{ type: "toolCall" }, { type: "text", text: 5 }, { type: "thinking", redacted: true }],
      JSON.parse('{"__proto__":{"type":"message"},"toJSON":1,"length":-1}'),
      JSON.parse("[".repeat(20_000) + "]".repeat(20_000)),
    ),
  );
  const samples = SAMPLES.flatMap((sample) => recordsOf(sample));
  const replaced = (target: unknown, path: readonly number[], by: unknown): unknown => {
    if (typeof target !== "object" || target === null || path.length === 0) return by;
    const keys = Object.keys(target);
    const key = keys[(path[0] ?? 0) % Math.max(1, keys.length)];
    if (key === undefined) return by;
    const child = replaced((target as JsonObject)[key], path.slice(1), by);
    return Array.isArray(target) ? target.with(Number(key), child) : { ...target, [key]: child };
  };
  const mutated = fc
    .tuple(fc.constantFrom(...samples), fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }), value)
    .map(([record, path, by]) => replaced(record, path, by) as JsonObject);

  it("can be taken, and every text of it can be read", () => {
    fc.assert(
      fc.property(fc.array(mutated, { maxLength: 12 }), fc.option(fc.string(), { nil: undefined }), (records, head) => {
        const { reading, records: taken } = take(records);
        const isActive = reading.branch(head);
        for (const [number, record] of records.entries()) {
          const items = piWire.items(record);
          expect(taken[number]?.items).toHaveLength(items.length);
          for (const item of [...items, ...(taken[number]?.items ?? [])]) if (item !== undefined) wholeText(item);
          isActive(number);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("has the same items when its line was read as bytes", () => {
    const shapesOf = (line: string): unknown[] =>
      piWire
        .items(JSON.parse(line) as JsonObject)
        .map((item) => [item.kind, item.kind === "nested" ? null : item.time]);
    fc.assert(
      fc.property(mutated, fc.string({ unit: "binary" }), (record, words) => {
        const said = [
          record,
          assistant([text(words)], { errorMessage: words }),
          entry({ role: "user", content: words }, { id: words, timestamp: words }),
        ];
        for (const each of said) {
          let line: string;
          try {
            line = JSON.stringify(each);
          } catch {
            continue;
          }
          expect(shapesOf(Buffer.from(line, "utf8").toString("latin1"))).toEqual(shapesOf(line));
        }
      }),
    );
  });
});
