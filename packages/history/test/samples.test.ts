import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../src/fact.ts";
import { HistoryError } from "../src/error.ts";
import type { JsonObject } from "../src/json.ts";
import { listEvents } from "../src/query.ts";
import { liveSession, type Session } from "../src/session.ts";
import type { SessionFile } from "../src/session-file.ts";
import {
  lineEndsOf,
  MemoryBytes,
  readBytes,
  readSample,
  recordsOf,
  type Sample,
  SAMPLES,
  textLinesOf,
} from "./samples.ts";
import { factsOf } from "./session-fixture.ts";

/** The first seq that stands for something else than in the whole session; -1 where none does. */
const changedSeq = (file: SessionFile, whole: readonly Fact[]): number =>
  factsOf(file).findIndex((fact, seq) => {
    const other = whole[seq];
    const keys = ["seq", "record", "item", "kind", "role", "time", "tool"] as const;
    return other === undefined || keys.some((key) => fact[key] !== other[key]);
  });

/** All that is told of a session, one line an event; a live turn's calls may wait, where others are over. */
const tellingOf = (session: Session): string[] =>
  [...session.events].map((event) => {
    const { seq, role, time, tool, isCopy } = event;
    const document = session.document(event);
    return JSON.stringify([seq, role, time, tool, isCopy, document]).replaceAll("pending", "unfinished");
  });

/** Some places of a text, and all of its last line where that is short: its first and last bytes where it is long. */
function cutsOf(text: Buffer): number[] {
  const ends = lineEndsOf(text);
  const lastLine = ends.at(-2) ?? 0;
  const stride = Math.ceil(text.length / 50);
  const strides = Array.from({ length: 50 }, (_, at) => at * stride);
  const last = Array.from({ length: text.length - lastLine }, (_, at) => lastLine + at);
  const ofLast = last.length <= 200 ? last : [...last.slice(0, 30), ...last.slice(-30)];
  return [...ends, ...strides, ...ofLast].filter((cut) => cut <= text.length);
}

describe("the seqs of a session", () => {
  it.each(SAMPLES)(
    "$name: stay what they were at the end of each line, at 50 places between, and at the bytes of the last line (of a long one, its first and last 30)",
    async ({ wire, text }) => {
      const whole = factsOf((await readBytes(wire, new MemoryBytes(text))).file);
      for (const cut of cutsOf(text)) {
        const { file } = await readBytes(wire, new MemoryBytes(text.subarray(0, cut)));
        expect(changedSeq(file, whole), `cut at ${cut}`).toBe(-1);
        expect(file.damage.lines, `cut at ${cut}`).toBeLessThanOrEqual(1);
      }
    },
  );

  it.each(SAMPLES)(
    "$name: are of words that only grow: a line that is added takes nothing from a message (after each eighth of the lines)",
    async ({ wire, text }) => {
      const ends = lineEndsOf(text);
      const stride = Math.ceil(ends.length / 8);
      const whole = (await readBytes(wire, new MemoryBytes(text))).session;
      const bySeq = new Map([...whole.events].map((event) => [event.seq, event]));
      for (const end of ends.filter((_, at) => at % stride === 0)) {
        const { session } = await readBytes(wire, new MemoryBytes(text.subarray(0, end)));
        for (const event of session.events) {
          const later = bySeq.get(event.seq);
          if (later === undefined || event.tool !== undefined) continue;
          expect(whole.document(later).startsWith(session.document(event)), `seq ${event.seq} at ${end}`).toBe(true);
          expect(later.role).toBe(event.role);
        }
      }
    },
  );
});

describe("a session that a host has written", () => {
  it.each(SAMPLES)("$name: is read without damage, and each of its records as the JSON that it is", async (sample) => {
    const { file, session } = await readSample(sample);
    const records = recordsOf(sample.text);
    expect(file.damage).toEqual({ lines: 0, bytes: 0 });
    expect(file.facts.records).toBe(records.length);
    for (const [number, record] of records.entries()) expect(file.record(number)).toEqual(record);
    expect(tellingOf(session)).toEqual(
      tellingOf((await readBytes(sample.wire, new MemoryBytes(sample.text, 1000))).session),
    );
  });

  it.each(SAMPLES)("$name: is told live as it is told from its file", async (sample) => {
    const { session } = await readSample(sample);
    const alive = liveSession(sample.wire, { records: recordsOf(sample.text), head: undefined });
    expect(tellingOf(alive)).toEqual(tellingOf(session));
    expect(alive.windows).toEqual(session.windows);
    expect(alive.parent).toBe(session.parent);
  });

  it.each(SAMPLES)("$name: has windows that part its events, in order", async (sample) => {
    const { session } = await readSample(sample);
    const inWindows = session.windows.map(({ firstSeq, lastSeq }) =>
      [...session.events].filter(({ seq }) => seq >= firstSeq && seq <= lastSeq).map(({ seq }) => seq),
    );
    expect(inWindows.flat()).toEqual([...session.events].map(({ seq }) => seq));
    expect(session.windows.map(({ events }) => events)).toEqual(inWindows.map(({ length }) => length));
    expect(session.windows.map(({ firstSeq }) => firstSeq)).toEqual(inWindows.map(([first]) => first));
  });

  it.each(SAMPLES)("$name: has pages that visit each of its rows once", async (sample) => {
    const { session } = await readSample(sample);
    const query = { queries: [], from: "oldest", maxChars: 50 } as const;
    const all = await listEvents(session, { ...query, limit: 100_000 });
    const seen: unknown[] = [];
    let afterSeq = -1;
    for (let more = true; more;) {
      const { rows, hasMore } = await listEvents(session, { ...query, limit: 7, afterSeq });
      seen.push(...rows);
      more = hasMore;
      const last = rows.at(-1);
      afterSeq = last?.kind === "folded" ? last.toSeq : (last?.event.seq ?? afterSeq);
    }
    expect(seen).toEqual(all.rows);
  });
});

/** Some lines of a sample: its first, and some that follow one another. */
const someLines = fc
  .tuple(fc.constantFrom(...SAMPLES), fc.nat(), fc.integer({ min: 1, max: 15 }))
  .map(([sample, from, count]) => {
    const [first = Buffer.alloc(0), ...lines] = textLinesOf(sample.text);
    const at = lines.length === 0 ? 0 : from % lines.length;
    // The longest lines make every run slow, and no other mistakes.
    const some = lines.slice(at, at + count).filter(({ length }) => length < 20_000);
    return { sample, lines: [first, ...some] };
  });

type Mutation = (lines: readonly Buffer[]) => Buffer[];
const place = fc.nat({ max: 100_000 });
const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    "",
    "\ud800",
    [],
    {},
    [[]],
    [null],
    { type: "text" },
    "x".repeat(100_000),
  ),
  fc.integer({ min: 1, max: 1500 }).map(nestedDeep),
  fc.jsonValue(),
  fc.constant(JSON.parse('{"__proto__":{"type":"text","text":"polluted","role":"user"}}')),
);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  // Cut, and glued to the next one.
  fc.tuple(place, place).map(
    ([at, cut]): Mutation =>
      (lines) =>
        changed(lines, at, (line) => [line.subarray(0, cut % (line.length + 1))]),
  ),
  fc.tuple(place, place).map(([at, cut]): Mutation => (lines) => {
    const number = at % lines.length;
    const [line = Buffer.alloc(0), next = Buffer.alloc(0)] = lines.slice(number, number + 2);
    return [
      ...lines.slice(0, number),
      Buffer.concat([line.subarray(0, cut % (line.length + 1)), next]),
      ...lines.slice(number + 2),
    ];
  }),
  // Repeated, reordered, left out.
  place.map(
    (at): Mutation =>
      (lines) =>
        changed(lines, at, (line) => [line, line]),
  ),
  fc.tuple(place, place).map(([at, to]): Mutation => (lines) => {
    const moved = lines[at % lines.length] ?? Buffer.alloc(0);
    const others = lines.filter((line) => line !== moved);
    return [...others.slice(0, to % (others.length + 1)), moved, ...others.slice(to % (others.length + 1))];
  }),
  place.map(
    (at): Mutation =>
      (lines) =>
        changed(lines, at, () => []),
  ),
  // Filled with NULs, or with any byte.
  fc.tuple(place, place, fc.nat({ max: 50 }), fc.constantFrom(0, 0, 0xff, 0x22, 0x5c)).map(
    ([at, from, count, byte]): Mutation =>
      (lines) =>
        changed(lines, at, (line) => {
          const start = from % (line.length + 1);
          return [Buffer.concat([line.subarray(0, start), Buffer.alloc(count, byte), line.subarray(start + count)])];
        }),
  ),
  // A value of another kind, or under a key that objects have.
  fc
    .tuple(
      place,
      fc.array(place, { maxLength: 6 }),
      wrong,
      fc.constantFrom(undefined, undefined, "__proto__", "constructor", "toString"),
    )
    .map(
      ([at, path, value, key]): Mutation =>
        (lines) =>
          changed(lines, at, (line) => {
            const record = parsed(line.toString("utf8"));
            return record === undefined ? [line] : [Buffer.from(JSON.stringify(withWrong(record, path, value, key)))];
          }),
    ),
);

const mutated = fc
  .tuple(someLines, fc.array(mutation, { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([{ sample, lines }, mutations, isEnded]) => {
    const all = mutations.reduce<readonly Buffer[]>(
      (before, mutate) => (before.length === 0 ? before : mutate(before)),
      lines,
    );
    const text = Buffer.concat(all.flatMap((line) => [line, Buffer.from("\n")]));
    return { sample, text: isEnded ? text : text.subarray(0, -1) };
  });

describe("a session that was damaged in any way", () => {
  it("is read, told, searched and parted into windows, and holds nothing that its bytes do not", async () => {
    let events = 0;
    await fc.assert(
      fc.asyncProperty(mutated, fc.integer({ min: 1, max: 5000 }), async ({ sample, text }, pieceBytes) => {
        const read = await readOrRefused(sample, new MemoryBytes(text, pieceBytes));
        if (read === undefined) return;
        const { file, session } = read;
        // Each record is a piece of a line that is JSON by itself; an event's texts are made of its records alone.
        const held = objectsIn(text);
        for (let number = 0; number < file.facts.records; number++) {
          expect(held.has(JSON.stringify(file.record(number)))).toBe(true);
        }
        const { length } = tellingOf(session);
        expect(session.windows.reduce((count, window) => count + window.events, 0)).toBe(length);
        for (const queries of [[], ["the"], ["1"]]) {
          const { rows } = await listEvents(session, { queries, from: "newest", limit: 5, maxChars: 40 });
          expect(rows.length).toBeLessThanOrEqual(5);
        }
        expect(({} as JsonObject)["type"]).toBeUndefined();
        events += length;
      }),
      { numRuns: 400 },
    );
    expect(events).toBeGreaterThan(400);
  });

  it("gives the same however its bytes come in pieces, and read on from any of them", async () => {
    await fc.assert(
      fc.asyncProperty(mutated, fc.integer({ min: 1, max: 5000 }), async ({ sample, text }, pieceBytes) => {
        const read = await readOrRefused(sample, new MemoryBytes(text));
        const again = await readOrRefused(sample, new MemoryBytes(text, pieceBytes));
        expect(again && tellingOf(again.session)).toEqual(read && tellingOf(read.session));
        expect(again?.file.damage).toEqual(read?.file.damage);
        expect(again === undefined ? undefined : factsOf(again.file).map(({ seq }) => seq)).toEqual(
          read && factsOf(read.file).map((_, seq) => seq),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("keeps its seqs when lines are added, whatever these are", async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async ({ sample, text }) => {
        const read = await readOrRefused(sample, new MemoryBytes(text));
        if (read === undefined) return;
        const whole = factsOf(read.file);
        for (const end of lineEndsOf(text)) {
          const { file } = await readBytes(sample.wire, new MemoryBytes(text.subarray(0, end)));
          expect(changedSeq(file, whole), `cut at ${end}`).toBe(-1);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is told live as it is told from its file, where its lines are whole", async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async ({ sample, text }) => {
        const records = textLinesOf(Buffer.concat([text, Buffer.from("\n")])).map((line) =>
          parsed(line.toString("utf8")),
        );
        const whole = records.filter((record) => record !== undefined);
        const lines = Buffer.from(whole.map((record) => `${JSON.stringify(record)}\n`).join(""));
        const read = await readOrRefused(sample, new MemoryBytes(lines));
        if (read === undefined) return;
        expect(tellingOf(liveSession(sample.wire, { records: whole, head: undefined }))).toEqual(
          tellingOf(read.session),
        );
      }),
      { numRuns: 150 },
    );
  });

  it.each(SAMPLES.filter((_, at) => at % 5 === 0))(
    "$name: is read where values are nested deeper than they could be written",
    async (sample) => {
      const deep = `${'{"a":['.repeat(20_000)}1${"]}".repeat(20_000)}`;
      const keys = ["content", "arguments", "input", "data", "details"];
      const lines = recordsOf(sample.text)
        .slice(0, 20)
        .map((record) => JSON.stringify(record, (key, value: unknown) => (keys.includes(key) ? "DEEP" : value)))
        .map((line) => `${line.replaceAll('"DEEP"', deep)}\n`);
      const text = Buffer.from(lines.join(""));
      const read = await readOrRefused(sample, new MemoryBytes(text));
      for (const event of read?.session.events ?? []) expect(typeof read?.session.document(event)).toBe("string");
      expect(read?.file.damage).toEqual({ lines: 0, bytes: 0 });
    },
  );
});

/** Only a session of a format that cannot be known is refused. */
async function readOrRefused(
  sample: Sample,
  bytes: MemoryBytes,
): Promise<Awaited<ReturnType<typeof readBytes>> | undefined> {
  try {
    return await readBytes(sample.wire, bytes);
  } catch (error) {
    if (error instanceof HistoryError && sample.wire.harness === "dsh" && error.message.includes("format version"))
      return undefined;
    throw error;
  }
}

/** The JSON of every object that is a line, or a piece of a broken line between two places where objects begin or NULs are. */
function objectsIn(text: Buffer): Set<string> {
  const found = new Set<string>();
  for (const line of text.toString("utf8").split("\n")) {
    const whole = parsed(line);
    if (whole !== undefined) {
      found.add(JSON.stringify(whole));
      continue;
    }
    const starts = [0, ...[...line.matchAll(/\{"|\0+|(?<=\0)[^\0]/gu)].map(({ index }) => index), line.length];
    const bounded =
      starts.length > 80
        ? [...starts.slice(0, 1), ...starts.filter((at) => isBeginning(line, at)), line.length]
        : starts;
    for (const [index, start] of bounded.entries()) {
      for (const end of bounded.slice(index + 1)) {
        const object = parsed(line.slice(start, end));
        if (object !== undefined) found.add(JSON.stringify(object));
      }
    }
  }
  return found;
}

function isBeginning(line: string, at: number): boolean {
  return (
    line.startsWith('{"type":', at) ||
    line.startsWith('{"parentUuid":', at) ||
    line[at] === "\0" ||
    line[at - 1] === "\0"
  );
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function changed(lines: readonly Buffer[], at: number, change: (line: Buffer) => readonly Buffer[]): Buffer[] {
  const number = at % lines.length;
  return lines.flatMap((line, index) => (index === number ? change(line) : [line]));
}

/** A value with another one in it at the end of a path, which goes as far as there is something. */
function withWrong(value: unknown, path: readonly number[], wrongValue: unknown, key: string | undefined): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return wrongValue;
  const entries = Object.entries(value);
  const number = entries.length === 0 ? 0 : step % entries.length;
  const within = entries.map(([name, inner], index) => [
    index === number && key !== undefined ? key : name,
    index === number ? withWrong(inner, rest, wrongValue, key) : inner,
  ]);
  return Array.isArray(value) ? within.map(([, inner]) => inner) : Object.fromEntries(within);
}

function nestedDeep(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
