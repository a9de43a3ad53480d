import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeviceName } from "../src/device-name.ts";
import { slugify } from "../src/index.ts";

describe("slugify", () => {
  it.each([
    ["Claude Opus 4.1", "claude-opus-4.1"],
    ["anthropic/claude-opus", "anthropic-claude-opus"],
    ["Ünïcødé", "unic-de"],
    ["ﬁle ²", "file-2"],
    ["--a..b--", "a..b"],
    ["İstanbul", "istanbul"],
    ["nul", "nul-x"],
    ["AUX.md", "aux-x.md"],
    ["COM¹", "com1-x"],
  ])("makes %j into %j", (value, slug) => {
    expect(slugify(value)).toBe(slug);
  });

  it.each(["", "..", "---", "新聞", "!?"])("throws where nothing is left of %j", (value) => {
    expect(() => slugify(value)).toThrow(TypeError);
  });

  it("cuts past 64 characters and tells two long names apart by their whole input", () => {
    const long = "model-".repeat(20);
    expect(slugify(`${long}a`)).toMatch(/^[a-z0-9.-]{1,55}-[0-9a-f]{8}$/u);
    expect(slugify(`${long}a`)).not.toBe(slugify(`${long}b`));
    expect(slugify("a".repeat(64))).toBe("a".repeat(64));
    const digits = createHash("sha256").update("A".repeat(65)).digest("hex").slice(0, 8);
    expect(slugify("A".repeat(65))).toBe(`${"a".repeat(55)}-${digits}`);
  });

  it("tells two long ill-formed names apart", () => {
    expect(slugify(`${"a".repeat(70)}\ud800`)).not.toBe(slugify(`${"a".repeat(70)}\ud801`));
  });

  it("is the slug of itself, at most 64 characters, and never a device name", () => {
    const anyName = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("a", "B", ".", "-", "é", "/", " "), maxLength: 90 }),
      fc.constantFrom("nul.x", "con", "lpt9.a.b"),
    );
    fc.assert(
      fc.property(anyName, (name) => {
        let slug: string;
        try {
          slug = slugify(name);
        } catch {
          return;
        }
        expect(slug).toMatch(/^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/u);
        expect(slugify(slug)).toBe(slug);
        expect(isDeviceName(slug)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});
