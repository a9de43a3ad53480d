import { expand } from "brace-expansion";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGlob } from "../src/glob.ts";
import { accepts, globRefusal } from "./glob-fixture.ts";

describe("the steps of matching", () => {
  /** Steps over all alternatives, held against all their characters times the path's. */
  const assertBounded = (glob: string, path: string): void => {
    const alternatives = parseGlob(glob);
    const chars = expand(`x${glob}`, { max: 65 }).reduce((sum, { length }) => sum + length, 0);
    const counter = { steps: 0 };
    for (const alternative of alternatives) accepts(alternative, path, counter);
    expect(counter.steps).toBeLessThanOrEqual(2 * (chars + 1) * (path.length + 1));
    // Whatever the braces stand for: a small multiple of the longest glob.
    expect(counter.steps).toBeLessThanOrEqual(2 * 4 * 1024 * (path.length + 1));
  };
  const long = (unit: string, length: number): string => unit.repeat(length).slice(0, length);

  it.each(
    [
      ["*a*a*a*ab", long("a", 250)],
      [long("*a", 1024), long("a", 250)],
      [`${long("*a", 1023)}b`, long("a", 250)],
      [`*${long("a", 127)}b`, long("a", 250)],
      [long("*?", 1024), long("a", 250)],
      [`${long("*[!b]", 1000)}b`, long("a", 250)],
      [`*[${long("bc", 900)}]`, long("a", 250)],
      [long("**/", 1023) + "b", long("a/", 31)],
      [`${long("**/*a*a*b/", 1000)}b`, `${long(`${long("a", 20)}/`, 21 * 15)}a`],
      [`${long("**/a/", 1000)}b`, long("a/", 31)],
      ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}*a*a*a*ab", long("a", 250)],
      [`{${long("*a*ab,", 380)}}`, long("a", 250)],
      ["+(ab|abab)", long("ab", 81)],
      ["+(*(ab))", long("ab", 81)],
      [long("[", 1024), long("[", 250)],
      [long("(", 1024), long("(", 250)],
      [long("?", 1024), long("a", 250)],
    ].map(([glob = "", path = ""]) => [glob.slice(0, 30), glob, path] as const),
  )("of %j… are bounded", (_title, glob, path) => {
    assertBounded(glob, path);
  });

  it("are none for too many alternatives: they are refused", () => {
    for (const glob of [
      "{a,b}".repeat(20),
      "{1..99999999}",
      "{".repeat(512) + "}".repeat(512),
      "{a,b}{c,d}".repeat(20),
    ])
      expect(globRefusal(glob)).toMatch(/^the glob ".*" cannot be used: .*(?:alternatives|braces|range)/u);
  });

  it("are bounded for 1,024 characters of anything", () => {
    const unit = fc.constantFrom("a", "a", "a", "*", "*", "?", "[a", "[!b]", "/", "**/", "{a,b}", "]");
    const text = fc
      .tuple(fc.array(unit, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 1024 }))
      .map(([units, length]) => long(units.join(""), length));
    const path = fc.constantFrom(long("a", 250), long("aaaaaaaaaaaaaaa/", 255), long("a/", 31), long("ab", 250));
    let compared = 0;
    fc.assert(
      fc.property(text, path, (glob, against) => {
        if (globRefusal(glob) !== undefined) return;
        compared++;
        assertBounded(glob, against);
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(50);
  });
});
