import { describe, expect, it } from "vitest";
import { Lines } from "../src/lines.ts";

describe("lines", () => {
  it("are cut at LF only, wherever the pieces of the stream end", () => {
    const lines = new Lines();
    expect(lines.push("a\u2028b")).toEqual([]);
    expect(lines.push("c\nd\n\ne")).toEqual(["a\u2028bc", "d", ""]);
    expect(lines.rest).toBe("e");
  });

  it("lose the CR before their LF and no other", () => {
    const lines = new Lines();
    expect(lines.push("a\rb\r")).toEqual([]);
    expect(lines.push("\n")).toEqual(["a\rb"]);
  });
});
