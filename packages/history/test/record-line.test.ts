import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { recordsIn } from "../src/record-line.ts";

const A = '{"type":"a","text":"one"}';
const B = '{"parentUuid":null,"type":"b"}';
const read = (line: string, isEnded?: boolean): unknown[] =>
  recordsIn(line, isEnded).records.map(({ record }) => record);
const a = { type: "a", text: "one" };
const b = { parentUuid: null, type: "b" };

describe("a line that is one record", () => {
  it("is that record, from its first to its last byte", () => {
    expect(recordsIn(A)).toEqual({ records: [{ record: a, start: 0, end: A.length }], damagedBytes: 0 });
    expect(read('{"anything":1}')).toEqual([{ anything: 1 }]);
  });

  it("may have white space around it, as of a line that ends in CRLF", () => {
    expect(read(`${A}\r`)).toEqual([a]);
    expect(read(` \t${A} `)).toEqual([a]);
    expect(recordsIn(`${A}\r`).damagedBytes).toBe(0);
  });

  it("may hold line separators that only JavaScript knows, raw in a text", () => {
    expect(read('{"type":"a","text":"x\u2028y\u2029z\u0085"}')).toEqual([{ type: "a", text: "x\u2028y\u2029z\u0085" }]);
  });

  it("may be nested as deep as it likes", () => {
    const depth = 200_000;
    const line = `{"type":"a","deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(recordsIn(line)).toMatchObject({ records: [{ start: 0, end: line.length }], damagedBytes: 0 });
  });

  it("has no prototype but that of every object, whatever its keys are", () => {
    const [record] = recordsIn('{"type":"a","__proto__":{"type":"b"}}').records;
    expect(Object.getPrototypeOf(record?.record)).toBe(Object.prototype);
    expect(record?.record["type"]).toBe("a");
  });
});

describe("a line without a record", () => {
  it.each(["", " ", "\t \r", "\r"])("%j is blank, and no damage", (line) => {
    expect(recordsIn(line)).toEqual({ records: [], damagedBytes: 0 });
  });

  it.each([
    "null",
    "1",
    '"text"',
    "[]",
    `[${A}]`,
    "true",
    "x",
    '{"type":"a"',
    "\u00a0",
    "\0\0\0\0",
    `${A.slice(0, -1)},`,
  ])("%j is damage, all of it", (line) => {
    expect(recordsIn(line)).toEqual({ records: [], damagedBytes: line.length });
  });
});

describe("a line that a crash has broken", () => {
  it("keeps a record before and behind NULs, which are damage", () => {
    const nulls = "\0".repeat(9000);
    expect(recordsIn(A + nulls)).toEqual({ records: [{ record: a, start: 0, end: A.length }], damagedBytes: 9000 });
    expect(recordsIn(nulls + A)).toMatchObject({ records: [{ record: a, start: 9000 }], damagedBytes: 9000 });
    expect(read(`${A}${nulls}${B}`)).toEqual([a, b]);
    expect(read(`${A.slice(0, 9)}${nulls}{"other":1}`)).toEqual([{ other: 1 }]);
  });

  it("keeps what was written behind a cut record, wherever that was cut", () => {
    const record = '{"type":"a","list":[{"type":"text","text":"x, y: [z"},{"type":"t"}],"n":1}';
    for (let cut = 1; cut < record.length; cut++) {
      const { records, damagedBytes } = recordsIn(record.slice(0, cut) + B);
      expect(records.at(-1), `cut at ${cut}`).toEqual({ record: b, start: cut, end: cut + B.length });
      expect(damagedBytes, `cut at ${cut}`).toBe(cut);
    }
  });

  it("keeps two records that nothing parts, and records behind several cut ones", () => {
    expect(read(A + B)).toEqual([a, b]);
    expect(recordsIn(A + B).damagedBytes).toBe(0);
    expect(read(`${A}${B.slice(0, 20)}`)).toEqual([a]);
    expect(read(`${A.slice(0, 20)}${B.slice(0, 20)}${A}`)).toEqual([a]);
    expect(read(`${A.slice(0, 20)}${B}${A}`)).toEqual([b, a]);
  });

  it("keeps the record behind a cut one of many blocks", () => {
    const blocks = Array.from({ length: 100 }, () => '{"type":"text","text":"x"}').join(",");
    expect(read(`{"type":"a","content":[${blocks},{"type":"text","text":"cut${A}`)).toEqual([a]);
  });

  it("takes no object of a cut record for a record, as long as the line may go on", () => {
    const line = `{"type":"a","data":[{"type":"b"},${B}`;
    expect(read(line, false)).toEqual([]);
    expect(read(`${A.slice(0, 20)}${B}`, false)).toEqual([b]);
  });

  it("takes no object of a cut record for a record, where another record follows", () => {
    expect(read(`{"type":"a","data":[{"type":"inner"}${B}`)).toEqual([b]);
  });

  it("never reads a byte twice, and counts each as read or damaged, whatever stands in it", () => {
    const piece = fc.oneof(
      fc.constantFrom(A, B, A.slice(0, 15), B.slice(0, 18), '{"type":', "\0", ",", "[", ":", " ", "x", "{}", '"'),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, isEnded) => {
        const line = pieces.join("").replaceAll("\n", "");
        const { records, damagedBytes } = recordsIn(line, isEnded);
        let behind = 0;
        let bytes = 0;
        for (const { record, start, end } of records) {
          expect(start).toBeGreaterThanOrEqual(behind);
          expect(record).toEqual(JSON.parse(line.slice(start, end)));
          behind = end;
          bytes += end - start;
        }
        if (line.trim() !== "") expect(damagedBytes + bytes).toBe(line.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps a record behind one that was cut where a part of it would follow, whatever is in both", () => {
    const blocks = Array.from({ length: 100 }, () => '{"type":"text","text":"x"}').join(",");
    const odd = '{"type":"a}","list":[{"type":"x"}],"n":1}';
    for (const cut of [`{"type":"a","content":[${blocks},`, '{"type":"a","content":[{"type":"text","text":"x, ']) {
      expect(recordsIn(`${cut}${odd} `).records).toMatchObject([{ start: cut.length, record: { n: 1 } }]);
    }
  });

  it.each([
    ["beginnings", '{"type":['],
    ["beginnings behind something", 'x{"type":['],
    ["whole blocks", '[{"type":1},'],
    ["white space", " "],
    ["white space before brackets", " {"],
    ["pieces", "{\0"],
    ["pieces that look like records", "{x}\0"],
    ["beginnings that look like records", '{"type":x}'],
    ["quotes", '"'],
    ["backslashes", '"\\'],
  ])("is given up soon, however many %s stand in it", (_title, part) => {
    const tried = countedParses(() => {
      const line = `{"type":"a",${part.repeat(1_000_000 / part.length)}`;
      expect(recordsIn(line)).toEqual({ records: [], damagedBytes: line.length });
    });
    expect(tried).toBeLessThanOrEqual(300);
  });

  it("is not parsed where it begins or ends as no record does", () => {
    expect(countedParses(() => recordsIn("x"))).toBe(0);
    expect(countedParses(() => recordsIn('{"type":"a"'))).toBe(0);
    expect(countedParses(() => recordsIn(`[{"type":[${"1,".repeat(1000)}`))).toBe(0);
    expect(countedParses(() => recordsIn(A))).toBe(1);
  });

  it("takes time linear in its length, whatever stands in it", () => {
    const program = `
      import { recordsIn } from ${JSON.stringify(new URL("../src/record-line.ts", import.meta.url).href)};
      const deep = '[{"type":'.repeat(16).slice(1) + "[" + "1,".repeat(2_000_000);
      const parts = ['{"type":[', 'x{"type":[', '[{"type":1},', " ", " {", "{\\0", "{x}\\0", '{"type":x}', '[{"type":[1,"', '"', '"\\\\'];
      for (const line of [deep, deep + "}", ...parts.map((part) => part.repeat(4_000_000 / part.length) + "}")]) recordsIn(line);
      process.stdout.write("read");
    `;
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@notesoup/source", "--input-type=module", "--eval", program],
      { encoding: "utf8", timeout: 10_000 },
    );
    expect({ stdout, signal, stderr }).toEqual({ stdout: "read", signal: null, stderr: "" });
  });
});

/** How often JSON is parsed while something is done. */
function countedParses(work: () => void): number {
  const parse = vi.spyOn(JSON, "parse");
  try {
    work();
    return parse.mock.calls.length;
  } finally {
    parse.mockRestore();
  }
}
