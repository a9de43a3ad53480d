import fc from "fast-check";
import micromatch from "micromatch";
import { Minimatch } from "minimatch";
import { describe, expect, it } from "vitest";
import { globRefusal, matches } from "./glob-fixture.ts";

const MICROMATCH = { dot: true, noextglob: true, nonegate: true } as const;
const MINIMATCH = {
  dot: true,
  noext: true,
  nonegate: true,
  nocomment: true,
  platform: "linux",
  braceExpandMax: 65,
} as const;

describe("a glob beside other matchers", () => {
  const paths = (names: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.array(names, { minLength: 1, maxLength: 5 }).map((components) => components.join("/"));

  it("matches what micromatch matches, on plain patterns", () => {
    const letters = fc.constantFrom("a", "b", ".", "a");
    // One wild card at a time: `**` beside something is tried above.
    const plain = fc.array(fc.oneof(letters, letters, fc.constantFrom("*", "?")), { minLength: 1, maxLength: 4 });
    const plainText = plain.map((all) => all.join("").replaceAll(/\*+/gu, "*"));
    // Two dots in braces are a range for micromatch, whatever stands beside them.
    const member = plainText.map((text) => text.replaceAll(".", "b"));
    const group = fc.array(member, { minLength: 2, maxLength: 3 }).map((members) => `{${members.join(",")}}`);
    const component = fc.oneof(
      plainText,
      plainText,
      fc.tuple(fc.constantFrom("a", "b"), group, fc.constantFrom("a", "b")).map((all) => all.join("")),
      group,
    );
    // The last is no globstar: `a/**` matches `a` for micromatch, and not for us.
    const glob = fc
      .tuple(fc.array(fc.oneof(component, fc.constant("**")), { maxLength: 3 }), component)
      .map(([first, last]) => [...first, last].join("/"));
    // No address ends in a dot; `*.*` takes none of those for micromatch.
    const name = fc.string({ unit: letters, minLength: 1, maxLength: 4 }).filter((text) => !text.endsWith("."));
    let matched = 0;
    let compared = 0;
    fc.assert(
      fc.property(fc.oneof(glob, glob, fc.constant("**")), paths(name), (pattern, path) => {
        // A component of dots only is refused.
        if (globRefusal(pattern) !== undefined) return;
        // Expanded first: unexpanded, `{*,*}/**/{*,*}` matches `a` for micromatch, which `*/**/*` does not.
        const expected = micromatch
          .braces(pattern, { expand: true })
          .some((alternative) => micromatch.isMatch(path, alternative, MICROMATCH));
        expect(matches(pattern, path), `${pattern} on ${path}`).toBe(expected);
        compared++;
        if (expected) matched++;
      }),
      { numRuns: 8000 },
    );
    expect(compared).toBeGreaterThan(1000);
    expect(matched).toBeGreaterThan(100);
  });

  it("matches what minimatch matches, on wider patterns", () => {
    const letters = fc.constantFrom("a", "b", "c", "(", "😀", "@", "!");
    const piece = fc.constantFrom(
      ..."aabbc()@!+#",
      "😀",
      "*",
      "*",
      "?",
      "**",
      "[ab]",
      "[!a]",
      "[^ab]",
      "[a-c]",
      "[!b-c]",
      "[]a]",
      "[!]a]",
      "[a-]",
      "[😀-😂]",
      "[!😀]",
      "[",
      "]",
      "{a,b}",
      "{b,*}",
      "{a,{b,[!c]}}",
      "x{,a}",
      "{a..c}",
      "{",
      "}",
      ",",
    );
    const component = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
    const glob = fc
      .array(fc.oneof({ weight: 3, arbitrary: component }, { weight: 1, arbitrary: fc.constant("**") }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((components) => components.join("/"))
      // A shell treats `{}` at the beginning otherwise than elsewhere; here it is as elsewhere.
      .filter((pattern) => !pattern.startsWith("{}"));
    const name = fc.string({ unit: letters, minLength: 1, maxLength: 3 });
    let matched = 0;
    let compared = 0;
    fc.assert(
      fc.property(glob, paths(name), (pattern, path) => {
        // What we refuse, such as an empty component, minimatch answers.
        if (globRefusal(pattern) !== undefined) return;
        const expected = new Minimatch(pattern, MINIMATCH).match(path);
        expect(matches(pattern, path), `${pattern} on ${path}`).toBe(expected);
        compared++;
        if (expected) matched++;
      }),
      { numRuns: 20_000 },
    );
    expect(compared).toBeGreaterThan(3000);
    expect(matched).toBeGreaterThan(200);
  });

  // Where the two differ from each other or from us, and why ours is right by the design.
  it.each([
    ["x/**", "x", { ours: false, micromatch: true, minimatch: false }, "`**` at the end takes a component"],
    ["?", "😀", { ours: true, micromatch: false, minimatch: true }, "`?` is one code point"],
    ["[!a]", "b", { ours: true, micromatch: false, minimatch: true }, "`!` negates"],
    ["{01..3}", "02", { ours: true, micromatch: false, minimatch: true }, "a range keeps its zeros"],
    ["[--0]", ".", { ours: true, micromatch: true, minimatch: false }, "a range may begin with a hyphen"],
    ["{a},b}", "b", { ours: true, micromatch: false, minimatch: true }, "as a shell expands it"],
  ])("%j on %j: %j, for %s", (glob, path, answers, _why) => {
    expect({
      ours: matches(glob, path),
      micromatch: micromatch.isMatch(path, glob, MICROMATCH),
      minimatch: new Minimatch(glob, MINIMATCH).match(path),
    }).toEqual(answers);
  });
});
