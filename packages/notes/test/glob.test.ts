import { expand } from "brace-expansion";
import fc from "fast-check";
import micromatch from "micromatch";
import { Minimatch } from "minimatch";
import { describe, expect, it } from "vitest";
import { NoteError } from "../src/error.ts";
import { advance, type GlobAlternative, isAccepted, parseGlob, startState } from "../src/glob.ts";

const accepts = (alternative: GlobAlternative, path: string, counter?: { steps: number }): boolean => {
  let state = startState(alternative);
  for (const component of path.split("/")) state = advance(alternative, state, component, counter);
  return isAccepted(alternative, state);
};
const matches = (glob: string, path: string): boolean =>
  parseGlob(glob).some((alternative) => accepts(alternative, path));
/** The refusal, or `undefined` where there is none; any other error is thrown on. */
const refusal = (glob: string): string | undefined => {
  try {
    parseGlob(glob);
    return undefined;
  } catch (error) {
    if (error instanceof NoteError && error.code === "invalid_glob") return error.message;
    throw error;
  }
};

const MICROMATCH = { dot: true, noextglob: true, nonegate: true } as const;
const MINIMATCH = {
  dot: true,
  noext: true,
  nonegate: true,
  nocomment: true,
  platform: "linux",
  braceExpandMax: 65,
} as const;

describe("a glob", () => {
  it.each([
    ["todo.md", "todo.md"],
    ["*", "todo.md"],
    ["*.md", ".md"],
    ["*", ".hidden.md"],
    ["**", ".hidden/.a.md"],
    ["a*c", "ac"],
    ["a**c", "abbc"],
    ["***", "a"],
    ["a?c", "abc"],
    ["?.md", "😀.md"],
    ["?.md", "é.md"],
    ["[a-c].md", "b.md"],
    ["[!a].md", "b.md"],
    ["[^a].md", "b.md"],
    ["{a,b}.md", "b.md"],
    ["{a,b}{c,d}.md", "bc.md"],
    ["{a,{b,c}}.md", "c.md"],
    ["a{,b}.md", "a.md"],
    ["{a,b/c}.md", "b/c.md"],
    ["{1..3}.md", "2.md"],
    ["{3..1}.md", "2.md"],
    ["{1..5..2}.md", "3.md"],
    ["{01..10}.md", "07.md"],
    ["{a..c}.md", "b.md"],
    ["**", "a"],
    ["**", "a/b/c"],
    ["**/a.md", "a.md"],
    ["**/a.md", "x/y/a.md"],
    ["x/**", "x/a.md"],
    ["x/**", "x/y/a.md"],
    ["x/**/a.md", "x/a.md"],
    ["x/**/a.md", "x/y/z/a.md"],
    ["**/**/a.md", "a.md"],
    ["**/x/**/y/**", "a/x/b/y/c"],
    ["release@v1.md", "release@v1.md"],
    ["a@(b).md", "a@(b).md"],
    ["!(a).md", "!(a).md"],
    ["#x.md", "#x.md"],
    ["a[b", "a[b"],
    ["{a,b", "{a,b"],
    ["a}", "a}"],
    ["{}", "{}"],
    ["{a}", "{a}"],
    ["$[.]md", "$.md"],
    // A dollar keeps a shell's braces from opening, in micromatch and minimatch as well.
    ["${a,b}", "${a,b}"],
    ["cafe\u0301*", "café.md"],
    ["caf{e,a}\u0301.md", "café.md"],
    ["a:b ", "a:b "],
  ])("%j matches %j", (glob, path) => {
    expect(matches(glob, path)).toBe(true);
  });

  it.each([
    ["*", "a/b"],
    ["?", "a/b"],
    ["a?c", "ac"],
    ["???", "😀"],
    ["todo.md", "Todo.md"],
    ["[a-z]", "A"],
    ["[!a]", "!a"],
    ["***", "a/b"],
    ["a**c", "a/c"],
    ["x/*", "x/y/z"],
    // Below x, and not x: a note is no folder. micromatch says otherwise.
    ["x/**", "x"],
    ["x/**", "xy/a"],
    ["**/a.md", "xa.md"],
    ["**/x/**/y/**", "a/x/y"],
    ["{1..3}", "4"],
    ["{01..3}", "1"],
    ["{1..3}", "1..3"],
    ["$a", "${a,b}"],
    ["+(ab|abab)", "ab"],
    ["!**/x.md", "y.md"],
    ["@(project|human)/**", "@project/x"],
    // A slash is never in a class: both brackets are letters, as POSIX has it.
    ["a[/]b", "a/b"],
    ["e\u0301", "e"],
  ])("%j does not match %j", (glob, path) => {
    expect(matches(glob, path)).toBe(false);
  });

  it("takes parentheses as letters: (copy).md is only (copy).md", () => {
    expect(["(copy).md", "copy.md"].filter((path) => matches("(copy).md", path))).toEqual(["(copy).md"]);
  });

  it("takes the slash in brackets as the end of a component", () => {
    expect(matches("a[/]b", "a[/]b")).toBe(true);
  });

  it("keeps the first component of each alternative as it was written", () => {
    expect(parseGlob("{@project,**,todo}/*.md").map(({ head }) => head)).toEqual(["@project", "**", "todo"]);
  });

  it.each(
    [
      ["", "it is empty"],
      ["/a", "a component is empty"],
      ["a/", "a component is empty"],
      ["a//b", "a component is empty"],
      ["/", "a component is empty"],
      ["{,a}", "a component is empty"],
      ["{,}", "a component is empty"],
      ["{a,b/}", "a component is empty"],
      [".", 'a component is "."'],
      ["a/../b", 'a component is ".."'],
      ["{a,.}/b", 'a component is "."'],
      ["a\\*", "a backslash"],
      ["\\", "a backslash"],
      ["[[:alpha:]]", "a POSIX class"],
      ["[a[:digit:]]", "a POSIX class"],
      ["[[.a.]]", "a POSIX class"],
      ["[[=a=]]", "a POSIX class"],
      ["[b-a]", 'the range "b-a" runs backwards'],
      ["{Y..b}", "mixes capital and small letters"],
      ["x{b..Y..2}", "mixes capital and small letters"],
      ["{1..9007199254740993}", "longer than 15 digits"],
      ["\ud800", "a lone surrogate"],
      ["a".repeat(1025), "longer than 1024 characters"],
      ["a".repeat(100_000), "longer than 1024 characters"],
      ["{1..65}", "more than 64 alternatives"],
      ["{1..99999999}", "more than 64 alternatives"],
      ["{a,b}".repeat(7), "more than 64 alternatives"],
      ["{a,b}".repeat(20), "more than 64 alternatives"],
      [`{${",".repeat(64)}}`, "more than 64 alternatives"],
      [`{x${",".repeat(64)}y}{,}`, "more than 64 alternatives"],
      [`{1..5}${"x".repeat(1000)}`, "more than 4096 characters"],
      ["{".repeat(33), "more than 32 braces"],
      ["}".repeat(33), "more than 32 braces"],
    ].map(([glob = "", why = ""]) => [glob.slice(0, 30), why, glob] as const),
  )("refuses %j: %s", (_title, why, glob) => {
    expect(refusal(glob)).toContain(why);
    expect(refusal(glob)).not.toContain("\n");
  });

  it("is 1,024 characters, 64 alternatives and 32 braces at the most", () => {
    expect(refusal("😀".repeat(1024))).toBeUndefined();
    expect(refusal("e\u0301".repeat(1024))).toBeUndefined();
    expect(parseGlob("{1..64}")).toHaveLength(64);
    expect(parseGlob("{a,b}".repeat(6))).toHaveLength(64);
    expect(refusal(`${"{".repeat(32)}a,b${"}".repeat(32)}`)).toBeUndefined();
    expect(refusal("{a".repeat(32) + "}".repeat(32))).toBeUndefined();
  });

  it("refuses what is not text", () => {
    expect(() => parseGlob(1 as unknown as string)).toThrow(NoteError);
    expect(() => parseGlob(Symbol("a") as unknown as string)).toThrow(NoteError);
  });

  const hostileText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."*?[]!^-{},./\\@()+#:=a1$Z", "\ud800", "\u0301", "😀"), maxLength: 60 }),
    fc
      .array(
        fc.constantFrom("{", "}", ",", "{a,b}", "{1..9}", "{a..Z}", "**/", "*", "[", "[!", "]", "[a-", "/", "x", "${"),
        { maxLength: 200 },
      )
      .map((pieces) => pieces.join("")),
  );

  it("refuses with nothing but invalid_glob, whatever the text", () => {
    let refused = 0;
    fc.assert(
      fc.property(hostileText, (glob) => {
        if (refusal(glob) !== undefined) refused++;
      }),
      { numRuns: 5000 },
    );
    expect(refused).toBeGreaterThan(200);
  });
});

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
        if (refusal(glob)?.includes("32 braces") !== true) assertWithinBounds(glob);
      }),
      { numRuns: 3000 },
    );
  });

  it("lose no alternative where others are empty", () => {
    // By themselves the 64 empty ones are dropped behind the bound of 65, and the last one with it.
    expect(expand(`{y${",".repeat(65)}x}{,}`, { max: 65 })).toEqual(["y", "y"]);
    expect(refusal(`{y${",".repeat(65)}x}{,}`)).toContain("more than 64 alternatives");
  });
});

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
        if (refusal(pattern) !== undefined) return;
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
        if (refusal(pattern) !== undefined) return;
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
      expect(refusal(glob)).toMatch(/^the glob ".*" cannot be used: .*(?:alternatives|braces|range)/u);
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
        if (refusal(glob) !== undefined) return;
        compared++;
        assertBounded(glob, against);
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(50);
  });
});

describe("matching component by component", () => {
  const glob = fc
    .array(fc.constantFrom("**", "a", "b", "*", "?", "[!a]", "{a,b/c}"), { minLength: 1, maxLength: 5 })
    .map((components) => components.join("/"));
  const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 6 });
  /** As the dialect is written down, without a thought for time. */
  const naive = (components: readonly string[], names: readonly string[]): boolean => {
    const [component, ...rest] = components;
    const [name, ...others] = names;
    if (component === undefined) return name === undefined;
    if (component === "**" && rest.length > 0 && naive(rest, names)) return true;
    if (name === undefined) return false;
    if (component === "**") return rest.length === 0 || naive(components, others);
    const matched = component === "*" || component === "?" || component === name;
    return (matched || (component === "[!a]" && name !== "a")) && naive(rest, others);
  };

  it("accepts exactly the whole paths", () => {
    fc.assert(
      fc.property(glob, path, (pattern, names) => {
        const expected = expand(pattern).some((alternative) => naive(alternative.split("/"), names));
        expect(matches(pattern, names.join("/"))).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });

  it("is over where the state is empty, and goes on where a path below can match", () => {
    let dead = 0;
    fc.assert(
      fc.property(glob, path, path, (pattern, above, below) => {
        for (const alternative of parseGlob(pattern)) {
          let state = startState(alternative);
          for (const name of above) state = advance(alternative, state, name);
          const empty = state.size === 0;
          for (const name of below) state = advance(alternative, state, name);
          if (!empty) continue;
          dead++;
          expect(state.size).toBe(0);
          expect(isAccepted(alternative, state)).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
    expect(dead).toBeGreaterThan(100);
  });

  it("leaves a state as it was, so that a walk can go on from it in several folders", () => {
    const [alternative] = parseGlob("**/a/b");
    if (alternative === undefined) throw new Error("no alternative");
    const state = advance(alternative, startState(alternative), "a");
    advance(alternative, state, "x");
    expect(isAccepted(alternative, advance(alternative, state, "b"))).toBe(true);
  });

  it("accepts nothing before the first component", () => {
    for (const pattern of ["**", "*", "**/**", "a"])
      for (const alternative of parseGlob(pattern))
        expect(isAccepted(alternative, startState(alternative))).toBe(false);
  });
});
