import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode, fittedTo, lineEndingOf, Refusal } from "../src/index.ts";

describe("the text of a file", () => {
  it("is that of its bytes, with a byte order mark told apart", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.boolean(), (text, bom) => {
        fc.pre(!text.startsWith("\ufeff"));
        expect(decode(encode(text, bom))).toEqual({ text, bom });
      }),
    );
  });

  it("does not exist where the bytes are not UTF-8, which is binary where zeros are among them", () => {
    const codeOf = (...bytes: number[]): unknown => {
      const decoded = decode(Uint8Array.from(bytes));
      return decoded instanceof Refusal ? decoded.code : decoded.text;
    };
    expect(codeOf(0x61, 0xe9)).toBe("not_utf8");
    expect(codeOf(0x89, 0x50, 0)).toBe("binary");
    expect(codeOf(0x61, 0)).toBe("a\0");
    expect(codeOf(0xef, 0xbf, 0xbd)).toBe("\ufffd");
    expect(codeOf(0xef, 0xbf, 0xbd, 0xe9)).toBe("not_utf8");
    expect(codeOf(0xed, 0xa0, 0x80)).toBe("not_utf8");
  });
});

describe("line endings", () => {
  it.each([
    ["", "none"],
    ["a", "none"],
    ["a\nb\n", "lf"],
    ["a\r\nb", "crlf"],
    ["a\rb\r", "cr"],
    ["a\r\nb\n", "mixed"],
    ["a\nb\r", "mixed"],
    ["a\r\r\n", "mixed"],
  ])("of %j are %s", (text, expected) => {
    expect(lineEndingOf(text)).toBe(expected);
  });

  it("of a text that goes into a file become CRLF only where all of the file's are", () => {
    expect(fittedTo("crlf", "a\nb\r\nc\r")).toBe("a\r\nb\r\nc\r");
    for (const ending of ["lf", "cr", "mixed", "none"] as const) expect(fittedTo(ending, "a\nb\r\n")).toBe("a\nb\r\n");
  });
});
