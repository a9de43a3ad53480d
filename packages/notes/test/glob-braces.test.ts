import { expand } from "brace-expansion";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globRefusal } from "./glob-fixture.ts";

describe("the braces", () => {
  // The package that expands them takes the rest as letters, without a word, once it is past its
  // bounds. With the braces that a glob may have, no glob comes near them.
  const BOUNDS = { maxDepth: 40, maxRewrites: 40, maxSteps: 4_000_000, maxLength: 400_000 } as const;
  const UNBOUND = { maxDepth: Infinity, maxRewrites: Infinity, maxSteps: Infinity, maxLength: Infinity } as const;
  const assertWithinBounds = (glob: string): void => {
    expect(expand(`x${glob}`, { max: 65, ...BOUNDS })).toEqual(expand(`x${glob}`, { max: 65, ...UNBOUND }));
  };
  const open = (text: string, times: number, inner: string): string =>
    `${text.repeat(times)}${inner}${"}".repeat(times)}`;

  it.each(
    [
      open("{", 31, "{a,b}"),
      open("{", 31, `{${"a,".repeat(400)}b}`),
      open("{", 26, "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"),
      open("{${a,b}", 13, "{c,d}{c,d}{c,d}{c,d}{c,d}{c,d}"),
      open("{${a,b}{c,d}", 10, "e"),
      open("{{c,d}", 6, open("{${a,b}", 9, "e")),
      open("{a,", 32, "b"),
      open("{a,", 31, "{1..99999999}"),
      `{a}${"}".repeat(31)},z`,
      `{a${"}".repeat(31)},${"z".repeat(900)}}`,
      `{${"0".repeat(900)}1..99}`,
      "{,,,,,,,,,,,,,,,,}".repeat(32),
    ].map((glob, index) => [index, glob] as const),
  )("of hostile glob %i stay far from every bound", (_index, glob) => {
    assertWithinBounds(glob);
  });

  it("stay far from every bound, whatever the glob", () => {
    const pieces = fc.constantFrom("{", "{", "{", "}", "}", "}", ",", ",", "..", "1", "99", "a", "z", "${", "xxxxxxxx");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 120 }), (all) => {
        const glob = all.join("");
        if (globRefusal(glob)?.includes("32 braces") !== true) assertWithinBounds(glob);
      }),
      { numRuns: 3000 },
    );
  });

  it("lose no alternative where others are empty", () => {
    // By themselves the 64 empty ones are dropped behind the bound of 65, and the last one with it.
    expect(expand(`{y${",".repeat(65)}x}{,}`, { max: 65 })).toEqual(["y", "y"]);
    expect(globRefusal(`{y${",".repeat(65)}x}{,}`)).toContain("more than 64 alternatives");
  });
});
