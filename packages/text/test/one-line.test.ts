import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine, printable, quote } from "../src/one-line.ts";

describe("oneLine", () => {
  it("writes what breaks or disguises a line as an escape, and leaves the rest", () => {
    expect(oneLine("a\nb\u2028c\u202ed\u0000 é😀")).toBe("a\\u000ab\\u2028c\\u202ed\\u0000 é😀");
  });

  it("gives one well-formed line for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(/[\n\r\u0085\u2028\u2029]/u);
        expect(line.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("quote", () => {
  it("quotes on one line", () => {
    expect(quote('say "hi"\n')).toBe('"say \\"hi\\"\\n"');
  });

  it("cuts a long input between code points", () => {
    expect(quote("😀".repeat(5), 3)).toBe('"😀😀😀…"');
  });

  it("escapes a lone surrogate", () => {
    expect(quote("a\ud800")).toBe('"a\\ud800"');
  });
});

describe("printable", () => {
  it("keeps lines and tabs, and writes what steers a terminal or turns a line as an escape", () => {
    expect(printable("a\r\n\tb\u001b[31m\u202e\rc")).toBe("a\n\tb\\u001b[31m\\u202e\\u000dc");
  });

  it("leaves no control character but the two", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !/(?![\n\t])\p{Cc}/u.test(printable(text))));
  });
});
