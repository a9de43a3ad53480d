import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { dshWire } from "../src/wire/dsh.ts";
import type { WireItem } from "../src/wire/wire.ts";
import { checkpoint, parse, read, recordsOf, samples } from "./wire-dsh-fixture.ts";

describe("a log that was changed by whatever means", () => {
  const types = [
    "session",
    "user/message",
    "assistant/message",
    "tool/call",
    "tool/result",
    "tool/code-dispatch",
    "tool/code-dispatch-start",
    "turn/end",
    "session/title",
    "tool-call-chunks",
  ];
  const originals = samples.flatMap(recordsOf);
  const keys = [...new Set(originals.flatMap((record) => [...Object.keys(record), ...Object.keys(record.data ?? {})]))];
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      -1,
      0,
      1.5,
      1e308,
      "",
      "\ud800",
      "user/message",
      "append",
      [],
      {},
      [null],
      [[]],
    ),
    fc.constant({ op: "replace" }),
    fc.record({ op: fc.constant("replace"), start: fc.nat({ max: 150 }), end: fc.nat({ max: 150 }) }),
    fc.jsonValue(),
    fc.constantFrom(parse('{"__proto__":{"type":"text","text":"a"}}'), parse('[{"__proto__":null}]')),
  );

  /** The value with another one somewhere in it. */
  function changed(value: unknown, path: readonly number[], other: unknown): unknown {
    const [first, ...rest] = path;
    if (first === undefined || typeof value !== "object" || value === null) return other;
    if (Array.isArray(value)) {
      const index = first % (value.length + 1);
      return value.toSpliced(index, 1, changed(value[index], rest, other));
    }
    const names = Object.keys(value);
    const name = names[first % (names.length + 1)] ?? keys[first % keys.length] ?? "__proto__";
    const inside = Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
    return Object.fromEntries([...Object.entries(value), [name, changed(inside, rest, other)]]);
  }

  const record = fc
    .tuple(
      fc.oneof(
        ...types.map((type) => fc.constantFrom(...originals.filter((one) => one.type === type))),
        fc.constant(checkpoint(6, 0, 5)),
      ),
      fc.array(fc.tuple(fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 6 }), odd), { maxLength: 2 }),
    )
    .map(
      ([original, changes]) =>
        changes.reduce<unknown>((value, [path, other]) => changed(value, path, other), original) as JsonObject,
    )
    // Another version is refused, and rightly.
    .map((any) => (any.type === "session" ? { ...any, version: 0 } : any));

  it("is read without a failure, and each record has as many items as by itself, the same ones where they are new", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 40 }), (records) => {
        const { reading, taken } = read(records);
        for (const one of taken) {
          const alone = dshWire.items(one.record);
          expect(one.items).toHaveLength(alone.length);
          for (const [index, item] of one.items.entries()) {
            if (item === undefined) continue;
            expect(saidBy(item)).toEqual(saidBy(alone[index]));
            seen.set(item.kind, (seen.get(item.kind) ?? 0) + 1);
          }
          if (one.startsWindow === true) seen.set("window", (seen.get("window") ?? 0) + 1);
        }
        expect(
          Object.values(reading.header).every((value) => ["string", "number", "undefined"].includes(typeof value)),
        ).toBe(true);
        expect(typeof reading.branch("5")(0)).toBe("boolean");
      }),
      { numRuns: 1000 },
    );
    for (const kind of ["message", "call", "result", "nested", "window"])
      expect(seen.get(kind), kind).toBeGreaterThan(20);
  });

  /** An item with all that it says. */
  function saidBy(item: WireItem | undefined): unknown {
    switch (item?.kind) {
      case undefined:
        return undefined;
      case "message":
        return [item.role, item.time, item.text()];
      case "call":
        return [item.tool, item.time, item.callId, item.args()];
      case "result":
        return [item.callId, item.time, item.isError, item.outputTruncated, item.fullOutputPath, item.output()];
      case "nested":
        return [item.callId, item.call.id, item.call.name, item.call.args, item.call.status, item.isEnd];
    }
  }
});
