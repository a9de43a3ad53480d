import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NoteError } from "../src/error.ts";
import { parseGlob } from "../src/glob.ts";
import { globRefusal, matches } from "./glob-fixture.ts";

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
    expect(globRefusal(glob)).toContain(why);
    expect(globRefusal(glob)).not.toContain("\n");
  });

  it("is 1,024 characters, 64 alternatives and 32 braces at the most", () => {
    expect(globRefusal("😀".repeat(1024))).toBeUndefined();
    expect(globRefusal("e\u0301".repeat(1024))).toBeUndefined();
    expect(parseGlob("{1..64}")).toHaveLength(64);
    expect(parseGlob("{a,b}".repeat(6))).toHaveLength(64);
    expect(globRefusal(`${"{".repeat(32)}a,b${"}".repeat(32)}`)).toBeUndefined();
    expect(globRefusal("{a".repeat(32) + "}".repeat(32))).toBeUndefined();
  });

  it("refuses what is not text", () => {
    expect(() => parseGlob(1 as unknown as string)).toThrow(NoteError);
    expect(() => parseGlob(Symbol("a") as unknown as string)).toThrow(NoteError);
    expect(() => parseGlob(null as unknown as string)).toThrow("a glob is text, and this is null");
  });

  it("refuses what is far too long by its length, in a short message", () => {
    expect(() => parseGlob(`\ud800${"a".repeat(1_000_000)}`)).toThrow(
      "a glob of 1000001 characters cannot be used: it is longer than 1024 characters",
    );
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
        if (globRefusal(glob) !== undefined) refused++;
      }),
      { numRuns: 5000 },
    );
    expect(refused).toBeGreaterThan(200);
  });
});
