import { describe, expect, it } from "vitest";
import { shownName } from "../src/index.ts";

describe("the name of a file in a message", () => {
  it.each([
    ["/home/tree/src/a.ts", "/home/tree", "src/a.ts"],
    ["/home/tree", "/home/tree", "."],
    ["/etc/passwd", "/", "etc/passwd"],
    ["/etc/passwd", "/home/tree", "…/passwd"],
    ["/home/tree-2/a.ts", "/home/tree", "…/a.ts"],
    ["/r/a\n\u202eb", "/r", "a\\u000a\\u202eb"],
    [`/r/${"x".repeat(300)}`, "/r", `${"x".repeat(200)}…`],
  ])("of %j below %j is %j", (name, root, expected) => {
    expect(shownName(name, root)).toBe(expected);
  });
});
