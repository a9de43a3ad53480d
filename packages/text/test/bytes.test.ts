import { describe, expect, it } from "vitest";
import { jsonBytes, utf8Bytes } from "../src/bytes.ts";

describe("bytes", () => {
  it.each([
    ["a", 1],
    ["é", 2],
    ["界", 3],
    ["😀", 4],
    ["\ud800", 3],
  ])("counts bytes of UTF-8: %j has %i", (text, bytes) => {
    expect(utf8Bytes(text)).toBe(bytes);
  });

  it("counts JSON with its escapes and quotes", () => {
    expect(jsonBytes("\u0000")).toBe(8);
    expect(jsonBytes('"')).toBe(4);
    expect(jsonBytes({ text: "界" })).toBe(14);
  });

  it("refuses what has no JSON form", () => {
    expect(() => jsonBytes(undefined)).toThrow(TypeError);
  });
});
