import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawPatternOf } from "../src/raw-pattern.ts";
import { placesOf } from "../src/raw-search.ts";
import { MemoryBytes } from "./samples.ts";

/** Bytes are looked for by single rare ones in pieces of this size, and by an expression in shorter ones. */
const LARGE_PIECE = 32 * 1024;

async function placesIn(bytes: Buffer, text: string, pieceBytes: number): Promise<number[]> {
  const pattern = rawPatternOf([text]);
  if (pattern === undefined) throw new Error("no pattern");
  const places: number[] = [];
  for await (const place of placesOf(new MemoryBytes(bytes, pieceBytes).chunks(0), pattern)) places.push(place);
  return places;
}

/** The numbers of the lines in which places are. */
function linesAt(bytes: Buffer, places: readonly number[]): Set<number> {
  const text = bytes.toString("latin1");
  return new Set(places.map((place) => text.slice(0, place).split("\n").length - 1));
}

const escaped = (text: string): string =>
  text.replace(/[^\0-\u007f]/gu, (letter) => String.raw`\u` + letter.charCodeAt(0).toString(16).padStart(4, "0"));

describe("a search in bytes", () => {
  const texts = fc.constantFrom("quetzal", "Zoë jumps", "naïve-quiz", "x", "mask", "spät");
  const written = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => escaped(text),
    (text) => JSON.stringify(escaped(text)).slice(1, -1),
    (text) => text.replace("a", String.raw`\u0061`).replace("x", String.raw`\u0078`),
  );
  const fillers = fc.constantFrom(
    "a line of words",
    "qqqqqq",
    "quetz",
    "naïve-qu",
    String.raw`\n\n\u001b[1m`,
    "x1",
    "\n",
  );

  it("comes to every line that holds the text, however it is written and wherever the pieces are parted", async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(written, { minLength: 1, maxLength: 4 }),
        fillers,
        fc.integer({ min: LARGE_PIECE, max: 3 * LARGE_PIECE }),
        fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 4, maxLength: 4 }),
        async (text, forms, filler, pieceBytes, breaks) => {
          const parts: string[] = [];
          const holding = new Set<number>();
          let line = 0;
          for (const [index, form] of forms.entries()) {
            const filling = filler.repeat(Math.ceil((LARGE_PIECE + (breaks[index] ?? 0)) / filler.length));
            line += filling.split("\n").length;
            parts.push(`${filling}\n`, `"${form(text)}"\n`);
            holding.add(line);
            line++;
          }
          const bytes = Buffer.from(parts.join(""));
          const lines = linesAt(bytes, await placesIn(bytes, text, pieceBytes));
          expect([...holding].filter((held) => !lines.has(held))).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("finds a text across the edge of two large pieces, wherever it is parted", async () => {
    const text = "some quetzal";
    for (let before = 0; before <= text.length; before++) {
      const bytes = Buffer.from(`${"-".repeat(LARGE_PIECE - before)}${text}${"-".repeat(LARGE_PIECE)}`);
      expect(new Set(await placesIn(bytes, text, LARGE_PIECE)), `${before} before`).toEqual(
        new Set([LARGE_PIECE - before]),
      );
    }
  });

  it("has no place where a rare letter of the text stands alone", async () => {
    const bytes = Buffer.from(`${"words, ".repeat(300)}z q quetza QUETZ etzal\n`.repeat(30));
    expect(bytes.length).toBeGreaterThan(LARGE_PIECE);
    expect(await placesIn(bytes, "quetzal", bytes.length)).toEqual([]);
  });

  it("comes to the line of a match though the one before holds one too", async () => {
    const bytes = Buffer.from(`${"-".repeat(LARGE_PIECE)}quetzal quetzal\nquetzal\nQUETZAL${"-".repeat(LARGE_PIECE)}`);
    expect(linesAt(bytes, await placesIn(bytes, "quetzal", bytes.length))).toEqual(new Set([0, 1, 2]));
  });

  it("finds a text though every byte that is looked at to choose its rarest letter deceives", async () => {
    const bytes = Buffer.alloc(64 * 1024, "q");
    // One byte of sixteen is looked at: none of these is a letter of the text.
    for (let at = 0; at < bytes.length; at += 16) bytes[at] = "-".charCodeAt(0);
    bytes.write("qjz", bytes.length - 5);
    expect(new Set(await placesIn(bytes, "qjz", bytes.length))).toEqual(new Set([bytes.length - 5]));
    bytes.write("qqq", bytes.length - 5);
    expect(await placesIn(bytes, "qjz", bytes.length)).toEqual([]);
  });
});
