import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Surface } from "../src/wire/dsh/surface.ts";
import {
  answer,
  append,
  block,
  checkpoint,
  event,
  header,
  itemsOf,
  namesOf,
  read,
  replaced,
  result,
  seqsWhere,
  start,
  text,
  user,
  wordsOf,
} from "./wire-dsh-fixture.ts";

describe("a compaction", () => {
  it("that leaves nothing of what the model saw starts a window with its checkpoint", () => {
    const { taken } = read([
      header,
      user(0, "a"),
      user(1, "b"),
      checkpoint(2, 0, 1),
      user(3, "c"),
      checkpoint(4, 2, 3),
    ]);
    expect(seqsWhere(taken, ({ startsWindow }) => startsWindow)).toEqual([2, 4]);
    expect(taken.flatMap(({ items }) => items.map(wordsOf))).toEqual([
      "a",
      "b",
      "[compaction]\nbefore: \nall",
      "c",
      "[compaction]\nbefore: \nall",
    ]);
  });

  it("that keeps something starts none, nor does a message that is not its checkpoint", () => {
    const kept = [user(0, "a"), user(1, "b"), checkpoint(2, 0, 0), checkpoint(3, 1, 1), user(4, "c", replaced(3, 2))];
    const { taken } = read([header, ...kept, user(5, "d", replaced(4, 4))]);
    expect(seqsWhere(taken, ({ startsWindow }) => startsWindow)).toEqual([]);
    expect(namesOf(taken)).toEqual(["0 user", "1 user", "2 context", "3 context"]);
  });

  it("counts by the order that the model sees, not by seqs", () => {
    // After 3 the model sees 3, 1, 2: from 3 to 2 is all of it, from 3 to 1 is not.
    const before = [header, user(0, "a"), user(1, "b"), user(2, "c"), checkpoint(3, 0, 0)];
    expect(read([...before, checkpoint(4, 3, 2)]).taken.at(-1)?.startsWindow).toBe(true);
    expect(read([...before, checkpoint(4, 3, 1)]).taken.at(-1)?.startsWindow).toBe(false);
  });

  it("alone does: what else takes the place of all, or stands nobody knows where, does not", () => {
    const rewritten = read([header, user(0, "a"), user(1, "b", replaced(0, 0))]);
    expect(rewritten.taken.at(-1)?.startsWindow).toBe(false);
    const source = { kind: "plugin", plugin: "another" };
    const snapshot = event(1, "user/message", { content: [text("b")], source }, replaced(0, 0));
    expect(read([header, user(0, "a"), snapshot]).taken.at(-1)).toMatchObject({ items: [], startsWindow: false });
    const elsewhere = user(1, "b", { surfaceOp: { op: "of a newer host" } });
    expect(read([header, user(0, "a"), elsewhere, checkpoint(2, 0, 0)]).taken.at(-1)?.startsWindow).toBe(true);
  });

  it("goes by what is there, where lines were lost", () => {
    const kept = [header, user(1, "b"), user(5, "f")];
    expect(read([...kept, checkpoint(6, 0, 5)]).taken.at(-1)?.startsWindow).toBe(true);
    expect(read([...kept, checkpoint(6, 0, 2)]).taken.at(-1)?.startsWindow).toBe(false);
    expect(read([header, checkpoint(6, 0, 5)]).taken.at(-1)?.startsWindow).toBe(true);
    const gone = [header, user(0, "a"), user(1, "b"), user(2, "c"), checkpoint(3, 1, 1)];
    expect(read([...gone, checkpoint(4, 1, 2)]).taken.at(-1)?.startsWindow).toBe(true);
  });

  it("is seen right however many there were: as by lists of all that the model sees", () => {
    let whole = 0;
    const step = fc.record({
      append: fc.boolean(),
      from: fc.nat({ max: 30 }),
      span: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 99),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        const surface = new Surface();
        const nodes: number[] = [];
        for (const [seq, { append: isAppended, from, span }] of steps.entries()) {
          if (isAppended || nodes.length === 0) {
            surface.append(seq);
            nodes.push(seq);
            continue;
          }
          const first = span === 99 ? 0 : from % nodes.length;
          const last = Math.min(first + span, nodes.length - 1);
          const isWhole = last - first + 1 === nodes.length;
          expect(surface.replace(seq, nodes[first], nodes[last])).toBe(isWhole);
          nodes.splice(first, last - first + 1, seq);
          if (isWhole && nodes.length === 1) whole++;
        }
      }),
      { numRuns: 500 },
    );
    expect(whole).toBeGreaterThan(100);
  });
});

describe("an event", () => {
  it("that was written twice counts once, with its places kept", () => {
    const said = answer(0, [text("a"), block("b")]);
    const { taken } = read([header, said, start(1, "c"), said, start(1, "c"), result(2, "b", []), result(2, "b", [])]);
    expect(namesOf(taken)).toEqual([
      "0 assistant",
      "0 call bash",
      "1 call bash",
      "0 said before",
      "0 said before",
      "1 said before",
      "2 ok",
      "2 said before",
    ]);
  });

  it("that is not known says nothing, nor does a row of stream chunks", () => {
    const records = [
      header,
      event(0, "a type of a newer host", { content: [text("a")] }, append),
      { type: "text-chunks", seq0: 1, time0: 1, data: { turn: 1, step: 1, index: 0, dt: [1], texts: ["a", "b"] } },
      event(3, "assistant/chunk", { chunk: { type: "text-delta", text: "a" } }),
      event(4, "session/title", { title: "a" }),
    ];
    expect(itemsOf(records)).toEqual([]);
  });
});

describe("a branch", () => {
  const records = [
    header,
    user(0, "a"),
    { type: "text-chunks", seq0: 1, data: {} },
    user(4, "b"),
    { type: "x" },
    user(5, "c"),
  ];
  const active = (head?: string | null): boolean[] => {
    const isActive = read(records).reading.branch(head);
    return records.map((_record, number) => isActive(number));
  };

  it("is all that was appended: a log has no others", () => {
    expect(active()).toEqual([true, true, true, true, true, true]);
  });

  it("ends with the event of its head's seq, where that is given", () => {
    expect(active("4")).toEqual([true, true, true, true, true, false]);
    expect(active("0")).toEqual([true, true, false, false, false, false]);
    expect(active("2")).toEqual([true, true, true, false, false, false]);
    expect(active(null)).toEqual([false, false, false, false, false, false]);
  });

  it.each(["99", "", "-1", "1.5", "4a", "__proto__", "9".repeat(400)])(
    "is all where nobody knows the head %j",
    (head) => {
      expect(active(head)).toEqual([true, true, true, true, true, true]);
    },
  );

  it("has no records that were not taken", () => {
    expect(read(records).reading.branch("4")(99)).toBe(false);
  });
});
