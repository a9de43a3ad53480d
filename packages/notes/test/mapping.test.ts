import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { changedBlocks, saysInstead } from "../src/change-mapping.ts";
import { type Mapping, OMITTED_VALUE } from "../src/mapping.ts";
import { scanPlainMapping } from "../src/plain-mapping.ts";
import { readMapping } from "../src/read-mapping.ts";
import { readYamlMapping } from "../src/yaml-mapping.ts";

const valuesOf = (mapping: Mapping | undefined): Record<string, unknown> | undefined =>
  mapping === undefined ? undefined : Object.fromEntries(mapping.entries.map(({ key, value }) => [key, value]));
/** The block after a change, or `undefined` where no way to make it was good. */
const tryChange = (block: string, changes: Record<string, string | number | undefined>): string | undefined => {
  const mapping = readMapping(block);
  if (mapping === undefined) throw new Error("not a mapping");
  const asked = new Map(Object.entries(changes));
  return changedBlocks(block, mapping, asked, "\n").find((candidate) => {
    const after = readMapping(candidate);
    return after !== undefined && saysInstead(mapping, after, asked);
  });
};
const change = (block: string, changes: Record<string, string | number | undefined>): string => {
  const changed = tryChange(block, changes);
  if (changed === undefined) throw new Error("cannot be changed");
  return changed;
};

const plainValue = fc.oneof(
  fc.constantFrom(
    "",
    "self",
    "2026-11-30T09:00:00.000Z",
    "10:00",
    "1.20",
    "-5",
    "-0",
    "-0.0",
    "+1",
    "0x1F",
    "0o17",
    "1e3",
    "1e999",
    ".5",
    "-.5",
    ".inf",
    "-.INF",
    ".nan",
    "null",
    "~",
    "True",
    "no",
    "a b  c",
    "a#b",
    "http://x/y",
    "-x",
    "~x",
    "1_000",
    "010",
    "0b1",
    "1-2",
    "a, b",
    "it's",
    'say "x"',
    "a]b",
    "é",
  ),
  fc.string({
    unit: fc.constantFrom(
      "a",
      "1",
      ".",
      "-",
      "+",
      ":",
      " ",
      "#",
      "e",
      "0",
      "x",
      "~",
      "/",
      "'",
      '"',
      "[",
      "{",
      "&",
      "*",
      "!",
      "|",
      ">",
      "%",
      "@",
      "`",
      "\t",
      ",",
    ),
    maxLength: 12,
  }),
);
const plainKey = fc.constantFrom("origin", "createdAt", "title", "a", "b-c", "_d", "true", "null", "__proto__");
const plainBlock = fc
  .array(
    fc.oneof(
      fc.tuple(plainKey, plainValue).map(([key, value]) => `${key}: ${value}`),
      fc.constantFrom("", "# a comment", "key:", "  - indented", "...", "- a", "? x"),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => lines.map((line) => line + end).join("")));

describe("the scan of plain lines", () => {
  it("reads what the YAML library reads, or leaves the block to it", () => {
    let scanned = 0;
    fc.assert(
      fc.property(plainBlock, (block) => {
        const plain = scanPlainMapping(block);
        if (plain === undefined) return;
        scanned++;
        const yaml = readYamlMapping(block);
        expect(valuesOf(plain)).toEqual(valuesOf(yaml));
        expect(plain.insertAt[0]).toBe(yaml?.insertAt[0]);
      }),
      { numRuns: 5000 },
    );
    expect(scanned).toBeGreaterThan(500);
  });

  it.each([
    "- a\n",
    "a\n",
    "",
    "\n# only a comment\n",
    "a: 'quoted'\n",
    "a: 1 # comment\n",
    "a: [1]\n",
    "a: b: c\n",
    "a:b\n",
    "a: &x 1\n",
    "a: *x\n",
    "a: !!str 1\n",
    "a: |\n  b\n",
    "a: 1\n  2\n",
    "a: @x\n",
    "a:\tb\n",
  ])("leaves %j to the YAML library", (block) => {
    expect(scanPlainMapping(block)).toBeUndefined();
  });
});

describe("a block", () => {
  it.each([
    "**BANNER**\n",
    "NORTH STAR OFFICE\n",
    "- a\n- b\n",
    "a: [\n",
    "",
    "# nothing\n",
    "a: 1\n...\nb: 2\n",
    "'a\n",
  ])("%j is not a mapping", (block) => {
    expect(readMapping(block)).toBeUndefined();
  });

  it("resolves no tag but those of the core schema, and evaluates nothing", () => {
    expect(valuesOf(readMapping('a: !!binary aGk=\nb: !!js/function "x"\nc: 2026-03-16\nd: !!set {x}\n'))).toEqual({
      a: "aGk=",
      b: "x",
      c: "2026-03-16",
      d: { x: null },
    });
  });

  it("takes __proto__ and << as names like any other", () => {
    const values = readMapping("__proto__: {x: 1}\n<<: {__proto__: {y: 2}}\n")?.entries.map(({ key, value }) => [
      key,
      JSON.stringify(value),
    ]);
    expect(values).toEqual([
      ["__proto__", '{"x":1}'],
      ["<<", '{"__proto__":{"y":2}}'],
    ]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("marks an alias bomb and a circle instead of unfolding them", () => {
    const bomb = [
      "a: &a [x, x, x, x, x, x, x, x, x, x]",
      ..."bcdefgh"
        .split("")
        .map((name, index) => `${name}: &${name} [${Array(10).fill(`*${"abcdefgh"[index]}`).join(", ")}]`),
    ].join("\n");
    const values = valuesOf(readMapping(`${bomb}\nm: &m {self: *m}\nplain: 1\n`));
    expect(values?.["h"]).toBe(OMITTED_VALUE);
    expect(values?.["m"]).toBe(OMITTED_VALUE);
    expect(values?.["plain"]).toBe(1);
  });

  it("shows what names no anchor as it was written", () => {
    expect(valuesOf(readMapping("a: *important*\nb: [1, *x ]\n"))).toEqual({ a: "*important*", b: "[1, *x ]" });
  });

  it("survives nesting deeper than a parser can go", () => {
    expect(() => readMapping(`a: ${"[".repeat(16_000)}\n`)).not.toThrow();
    expect(() => readMapping(`a: ${"[".repeat(8000)}${"]".repeat(8000)}\n`)).not.toThrow();
  });

  it("writes nothing to standard error about a mapping as key", () => {
    const warnings: unknown[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on("warning", listen);
    expect(Object.keys(valuesOf(readMapping("? {a: 1}\n: b\n")) ?? {})).toEqual(["{a: 1}"]);
    process.off("warning", listen);
    expect(warnings).toEqual([]);
  });
});

describe("changing a block", () => {
  it("replaces a value where it stands and keeps comments, order, quoting and blank lines", () => {
    const block = "# mine\ndate: 2026-03-16 # due\n\nv: 1.20\norigin:   'self'  # who\nt: 10:00\n";
    expect(change(block, { origin: "user", accessCount: 1 })).toBe(
      "# mine\ndate: 2026-03-16 # due\n\nv: 1.20\norigin: user  # who\nt: 10:00\naccessCount: 1\n",
    );
  });

  it("removes a line whole, every one of its key", () => {
    expect(change("a: 1\ncrumpledAt: x # y\nb: 2\ncrumpledAt: z\n", { crumpledAt: undefined })).toBe("a: 1\nb: 2\n");
  });

  it("adds behind the last entry, at its indentation, before whatever follows", () => {
    expect(change("  a: 1\n  b:\n    - x\n  # end\n", { origin: "user" })).toBe(
      "  a: 1\n  b:\n    - x\n  origin: user\n  # end\n",
    );
    expect(change("k: |+\n  text\n\n", { origin: "user" })).toBe("k: |+\n  text\n\norigin: user\n");
    expect(change("a: 1\n...\n", { origin: "user" })).toBe("a: 1\norigin: user\n...\n");
  });

  it("changes an entry of a flow mapping in place, adds by a comma that leaves a comment one, and takes away by null", () => {
    expect(change("{a: 1, origin: self}\n", { origin: "user", accessCount: 2 })).toBe(
      "{a: 1, origin: user, accessCount: 2}\n",
    );
    expect(change("{}\n", { origin: "user", project: "p" })).toBe("{origin: user, project: p}\n");
    expect(change("{crumpledAt: x}\n", { crumpledAt: undefined })).toBe("{crumpledAt: null}\n");
    expect(change("{a: 1,\n  due: # not yet\n}\n", { accessCount: 1 })).toBe(
      "{a: 1,\n  due: , accessCount: 1 # not yet\n}\n",
    );
  });

  it("says nothing twice: what says nothing already stays", () => {
    expect(change("title: 'x'\ncrumpledAt:\n", { crumpledAt: undefined })).toBe("title: 'x'\ncrumpledAt:\n");
    expect(change('{"crumpledAt": null}\n', { crumpledAt: undefined })).toBe('{"crumpledAt": null}\n');
  });

  it("is not done where no way leaves everything else as it was", () => {
    expect(tryChange('updatedAt: "\\"\naccessCount: "q"\n', { accessCount: 1 })).toBeUndefined();
    expect(tryChange("? x:\n- a\n- b\n", { accessCount: 1 })).toBe("accessCount: 1\n? x:\n- a\n- b\n");
  });

  it("never takes away an anchor that an alias names: it adds the key once more, and the last counts", () => {
    const changed = change("origin: &o self\nmine: *o\n", { origin: "user" });
    expect(changed).toBe("origin: &o self\nmine: *o\norigin: user\n");
    expect(valuesOf(readMapping(changed))).toEqual({ origin: "user", mine: "self" });
  });

  it.each([
    "? origin\n: self\n",
    "origin: |\n  self\n",
    "origin:\n  self\n",
    "origin: !!str self\n",
    "? [a]\n: 1\norigin: &x self\n",
    "origin:\n",
    '"origin": "self"\n',
    "&m\norigin: self\n",
    "origin: >-\n  a\n  b\n",
  ])("makes %j say the new value", (block) => {
    expect(valuesOf(readMapping(change(block, { origin: "user" })))?.["origin"]).toBe("user");
  });

  it("keeps every other entry and every other line's bytes, whatever the block", () => {
    const anyValue = fc.constantFrom(
      "1",
      "'q'",
      '"d"',
      "[1, {a: b}]",
      "{x: [y]}",
      "|\n    text\n    more",
      ">-\n    folded\n    text",
      "&anchor v",
      "plain # comment",
      "10:00",
      "!tag v",
      "\n    nested: 1\n    other: 2",
      "\n    - 1\n    - 2",
      "",
    );
    const anyKey = fc.constantFrom("origin", "crumpledAt", "title", "'quoted key'", '"d k"', "a", "tags");
    const anyBlock = fc
      .array(
        fc.oneof(
          fc.tuple(anyKey, anyValue).map(([key, value]) => `${key}: ${value}\n`),
          fc.constantFrom("# comment\n", "\n"),
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((lines) => lines.join(""));
    let changed = 0;
    fc.assert(
      fc.property(anyBlock, (block) => {
        const before = readMapping(block);
        if (before === undefined) return;
        changed++;
        const after = change(block, { origin: "user", crumpledAt: undefined, accessCount: 7 });
        const {
          origin: _o,
          crumpledAt: _c,
          ...kept
        } = parse(block, { uniqueKeys: false, logLevel: "error" }) as Record<string, unknown>;
        const { origin, crumpledAt, accessCount, ...rest } = parse(after, {
          uniqueKeys: false,
          logLevel: "error",
        }) as Record<string, unknown>;
        expect({ origin, crumpledAt: crumpledAt ?? undefined, accessCount }).toEqual({
          origin: "user",
          crumpledAt: undefined,
          accessCount: 7,
        });
        expect(rest).toEqual(kept);
        const foreign = block.split("\n").filter((line) => !/^(?:origin|crumpledAt):/u.test(line) && line !== "");
        for (const line of foreign) expect(after.split("\n")).toContain(line);
      }),
      { numRuns: 600 },
    );
    expect(changed).toBeGreaterThan(200);
  });
});
