import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { finderOf } from "../src/matcher.ts";
import { rawPatternOf } from "../src/raw-pattern.ts";
import { placesOf } from "../src/raw-search.ts";
import { Slices } from "../src/slices.ts";
import { CountedSlices } from "./counted-slices.ts";
import { call, plainWire, record, result, user } from "./plain-wire.ts";
import { MemoryBytes, readBytes, readSample, SAMPLES } from "./samples.ts";
import { linesOf, TestFile } from "./session-fixture.ts";

const placesIn = async (text: string | Buffer, texts: readonly string[], pieceBytes?: number): Promise<number[]> => {
  const pattern = rawPatternOf(texts);
  if (pattern === undefined) throw new Error("no pattern");
  const places: number[] = [];
  for await (const place of placesOf(new MemoryBytes(Buffer.from(text), pieceBytes).chunks(0), pattern))
    places.push(place);
  return places;
};
/** JSON with every letter that is not plain ASCII, or every character, as an escape. */
const escapedJson = (value: unknown, which = /[^\0-\u007f]/gu): string =>
  JSON.stringify(value).replace(which, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => String.raw`\u` + character.charCodeAt(at).toString(16).padStart(4, "0"),
    ).join(""),
  );

describe("the pattern of texts", () => {
  it.each([
    [],
    [""],
    [" "],
    ["."],
    ["12"],
    ["1.5e-3"],
    ["{}"],
    ["ok"],
    ["o"],
    ["ERROR"],
    ["anſwer"],
    ["48213 bytes"],
    ["7 ms"],
    ["12.5 ms"],
    ["1e-7 ms"],
    ["e-7 m"],
    ["1e+21 ms"],
    ["2.5e-7 bytes"],
    ["nested calls: 3 · complete"],
    ["arguments omitted by host (70000 bytes)"],
    ["unknown id"],
    ["word", "12"],
  ])("is none for %j, which a document may hold though no record does", (...texts) => {
    expect(rawPatternOf(texts)).toBeUndefined();
  });

  it("is the longest part that is written in the same way everywhere", async () => {
    const line = String.raw`{"type":"x","text":"see \"the file\" in\n/home/me"}`;
    expect(await placesIn(line, ['see "the file" in\n/'])).toEqual([line.indexOf("the file")]);
    expect(await placesIn(line, ["the other file"])).toEqual([]);
  });

  it("is found once a line, whatever the case", async () => {
    expect(await placesIn("xneedle NEEDLE\nno\nNeedle\n", ["needle"])).toEqual([1, 18]);
    expect(await placesIn("one\ntwo\nthree", ["two", "THREE"])).toEqual([4, 8]);
  });

  it("of a very long text is found by its beginning", async () => {
    const long = "word".repeat(5000);
    expect(await placesIn(`x${long}`, [long])).toEqual([1]);
  });

  it.each([
    ["привет", "ПРИВЕТ"],
    ["漢字", "漢字"],
    ["漢", "漢"],
    ["straße", "STRAẞE"],
    ["σας", "ΣΑΣ"],
    ["mask", "maſK"],
    ["maſk", "MASK"],
    ["𐐀𐐁", "𐐨𐐩"],
    ["日本-1", "日本-1"],
    ["ǆ", "ǅ"],
  ])(
    "for %j is found in the bytes of %j, as itself, escaped, and escaped in a text that is escaped itself",
    async (text, written) => {
      const once = escapedJson({ text: written });
      for (const line of [
        JSON.stringify({ text: written }),
        once,
        JSON.stringify(once),
        JSON.stringify(JSON.stringify(once)),
      ]) {
        for (const pieceBytes of [1, 2, 3, 7, 1000]) {
          expect(await placesIn(line, [text], pieceBytes), `${line} by ${pieceBytes}`).not.toEqual([]);
        }
      }
    },
  );

  it("is found wherever the bytes are parted", async () => {
    const line = `${"x".repeat(50)} some needle ${"y".repeat(50)}`;
    for (let pieceBytes = 1; pieceBytes < 120; pieceBytes++) {
      expect(new Set(await placesIn(line, ["some needle"], pieceBytes)), `by ${pieceBytes}`).toEqual(new Set([51]));
    }
  });

  it("is taken to be found where a letter is written as an escape without need, wherever the bytes are parted", async () => {
    for (const line of [
      escapedJson({ text: "needle" }, /n/gu),
      escapedJson({ text: "needle" }, /./gu),
      String.raw`"\u000aeedle"`,
    ]) {
      for (let pieceBytes = 1; pieceBytes < 40; pieceBytes++) {
        expect(await placesIn(line, ["needle"], pieceBytes), `${line} by ${pieceBytes}`).not.toEqual([]);
      }
    }
    expect(await placesIn(String.raw`"\u001b[31m \u00e9 \u0000"`, ["needle"])).toEqual([]);
  });

  it("is made of few texts and short parts, because an expression takes the product of them and the bytes", () => {
    const texts = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${"word".repeat(900)}${index}`);
    expect(rawPatternOf(texts(16))?.expression.source.length).toBeLessThanOrEqual(16 * 16 + 16);
    expect(rawPatternOf(texts(17))).toBeUndefined();
    const letters = "漢".repeat(9000);
    expect(rawPatternOf([letters])?.expression.source.length).toBeLessThan(64 * 40);
  });

  it("is looked for in slices, in pieces that are the smaller the larger it is", async () => {
    const turnsFor = async (texts: readonly string[]): Promise<number> => {
      const slices = new CountedSlices();
      const pattern = rawPatternOf(texts);
      if (pattern === undefined) throw new Error("no pattern");
      const bytes = new MemoryBytes(Buffer.alloc(4 * 1024 * 1024, "x"), 4 * 1024 * 1024);
      for await (const _ of placesOf(bytes.chunks(0), pattern, slices)) throw new Error("found");
      return slices.turns;
    };
    expect(await turnsFor(["needle"])).toBeGreaterThanOrEqual(4);
    expect(await turnsFor(["漢".repeat(64)])).toBeGreaterThanOrEqual(400);
  });

  it("takes time linear in the bytes, whatever they and the texts are", () => {
    const program = `
      import { rawPatternOf } from ${JSON.stringify(new URL("../src/raw-pattern.ts", import.meta.url).href)};
      import { placesOf } from ${JSON.stringify(new URL("../src/raw-search.ts", import.meta.url).href)};
      async function* chunks(text) { for (let at = 0; at < 4; at++) yield Buffer.from(text.repeat(1_000_000 / text.length)); }
      for (const [text, texts] of [
        ["a", ["a".repeat(63) + "b"]],
        ["s", ["s".repeat(63) + "b", ...Array.from({ length: 15 }, (_, index) => "s".repeat(15) + index)]],
        ["\\\\", ["漢字"]],
        ["\\\\u6f22", ["漢".repeat(63) + "字"]],
        ["x", Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + index))],
      ]) {
        const pattern = rawPatternOf(texts);
        if (pattern !== undefined) for await (const place of placesOf(chunks(text), pattern)) void place;
      }
      process.stdout.write("searched");
    `;
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@notesoup/source", "--input-type=module", "--eval", program],
      { encoding: "utf8", timeout: 10_000 },
    );
    expect({ stdout, signal, stderr }).toEqual({ stdout: "searched", signal: null, stderr: "" });
  });

  it("may be searched for by two at a time", async () => {
    const pattern = rawPatternOf(["needle"]);
    const text = Buffer.from("needle\n".repeat(50));
    const search = async (): Promise<number> => {
      let count = 0;
      if (pattern !== undefined)
        for await (const place of placesOf(new MemoryBytes(text, 20).chunks(0), pattern)) count += place + 1;
      return count;
    };
    const [one, other] = await Promise.all([search(), search()]);
    expect(one).toBe(other);
  });
});

describe("the events that may hold a text", () => {
  const candidates = async (content: string, text: string): Promise<number[]> => {
    const { session } = await readBytes(plainWire, new MemoryBytes(Buffer.from(content)));
    return [...((await session.candidates(rawPatternOf([text]))) ?? [])];
  };

  it("are those whose records have it: words, a call, its result, and nested calls", async () => {
    const records = [
      user("needle"),
      user("other"),
      record([call("a", { args: { path: "needle" } })]),
      record([result("a", "out")]),
      record([call("b")]),
      record([result("b", "needle")]),
      record([call("c")]),
      record([{ is: "nested", id: "c", call: { id: "1", name: "needle" } }]),
      record([{ is: "assistant", text: "one", group: "g" }]),
      record([{ is: "assistant", text: "needle", group: "g" }]),
    ];
    expect(await candidates(linesOf(records), "needle")).toEqual([0, 2, 4, 6, 7]);
  });

  it("are found in a broken line too, where the broken part has the text before", async () => {
    const content = `{"type":"record","items":"needle ${linesOf([user("needle")]).trimEnd()}${linesOf([user("a needle")])}`;
    expect(await candidates(content, "needle")).toEqual([0, 1]);
  });

  it("are all where the bytes cannot tell", async () => {
    const session = await (await TestFile.of(linesOf([user("x")]))).session();
    expect(await session.candidates(rawPatternOf(["12"]))).toBeUndefined();
  });

  it("have every event whose document has it, whatever arguments and texts are, however they are escaped", async () => {
    const value = fc.jsonValue({
      maxDepth: 2,
      stringUnit: fc.oneof<fc.Arbitrary<string>[]>(
        fc.constantFrom("a", "я", "漢", "s", "ſ", "k", "\u212a", "\n", '"', "\\", "1", " ", "-", "\ud83d"),
        fc.string({ unit: "grapheme", maxLength: 1 }),
      ),
    });
    const word = fc.string({ unit: "grapheme", maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        value,
        word,
        fc.constantFrom(/[^\0-\u007f]/gu, /[a-f]/gu, /$^/gu),
        fc.nat(),
        fc.integer({ min: 1, max: 8 }),
        async (args, output, which, at, length) => {
          const lines = [
            user(output),
            record([call("c", { args: args as JsonObject, tool: output }), result("c", output)]),
          ];
          const content = lines.map((line) => `${escapedJson(line, which)}\n`).join("");
          const { session } = await readBytes(plainWire, new MemoryBytes(Buffer.from(content), 50));
          for (const event of session.events) {
            const characters = [...session.document(event)];
            const start = characters.length === 0 ? 0 : at % characters.length;
            const text = characters.slice(start, start + length).join("");
            const found = await session.candidates(rawPatternOf([text]));
            expect(found?.has(event.seq) ?? true, JSON.stringify(text)).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("have every event whose document has it, where that says durations, sizes and statuses in words of its own", async () => {
    const number = fc.oneof(
      fc.nat({ max: 100_000 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(12.5, 0.5, 1e-7, 2.5e-9, 1e21, 1.25e300, -3, -0.25, 0),
    );
    const nestedCall = fc.record(
      {
        id: fc.constantFrom("c/1", "unknown id", "12.5"),
        name: fc.constantFrom("read", "unknown tool", "ms", "e-7"),
        status: fc.constantFrom("ok", "error", "unfinished"),
        durationMs: number,
        argumentsBytes: number,
        args: fc.oneof(fc.constant("{}"), number.map(String)),
        error: fc.constantFrom("exit 1", "12.5 ms", "bytes"),
      },
      { requiredKeys: ["id", "name", "status"] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(nestedCall, { maxLength: 3 }),
        fc.oneof(number, fc.record({ bytes: number, ms: number })),
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        fc.integer({ min: 1, max: 20 }),
        async (all, args, isError, isCalled, at, length) => {
          const nested = { callCount: all.length, complete: isError, all };
          const items = [
            ...(isCalled ? [call("c", { args, tool: "run" })] : []),
            result("c", "", { tool: "run", error: isError, nested }),
          ];
          // A host may write a number in another form than a document does.
          const line = JSON.stringify(record(items)).replaceAll(/(?<=:)(\d+)(?=[,}])/gu, "$1.0");
          const { session } = await readBytes(plainWire, new MemoryBytes(Buffer.from(`${line}\n`)));
          for (const event of session.events) {
            const document = session.document(event);
            const start = at % document.length;
            const text = document.slice(start, start + length);
            const found = await session.candidates(rawPatternOf([text]));
            expect(found?.has(event.seq) ?? true, JSON.stringify(text)).toBe(true);
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  it.each(SAMPLES)(
    "have every event whose document has it: any part of any document of $name, in any case",
    async (sample) => {
      const { session } = await readSample(sample);
      if (session.events.length === 0) return;
      const recase = fc.constantFrom<(text: string) => string>(
        (text) => text,
        (text) => text.toUpperCase(),
        (text) => text.toLowerCase(),
        (text) => text.replaceAll("s", "ſ").replaceAll("k", "\u212a"),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.nat(),
          fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 30 })),
          recase,
          async (which, at, length, change) => {
            const event = session.events.at(which % session.events.length);
            const document = event === undefined ? "" : session.document(event);
            const start = at % (document.length + 1);
            const text = change(document.slice(start, start + length).toWellFormed());
            if (event === undefined || (await finderOf([text], new Slices())?.(document)) === -1) return;
            const found = await session.candidates(rawPatternOf([text]));
            expect(found?.has(event.seq) ?? true, JSON.stringify(text)).toBe(true);
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});
