import { spawnSync } from "node:child_process";
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

  const invalidName = expect.objectContaining({
    name: "NoteError",
    code: "invalid_identity",
    message: expect.stringMatching(/^no slug can be made of .{1,250}$/u),
  });

  it.each(["", "..", "---", "新聞", "!?"])("refuses %j, of which nothing is left", (value) => {
    expect(() => slugify(value)).toThrow(invalidName);
  });

  it.each([5, null, undefined, ["a"], "a".repeat(1_048_577)])(
    "refuses what is no text, and text beyond measure",
    (value) => {
      expect(() => slugify(value as string)).toThrow(invalidName);
    },
  );

  it("takes time linear in a name, whatever marks and dots it is of", () => {
    const program = `
      import { slugify } from ${JSON.stringify(new URL("../src/slug.ts", import.meta.url).href)};
      for (const long of ["\\u0301\\u0316\\u0334".repeat(300_000), "\\uff9e\\uff9f".repeat(500_000), ".".repeat(1_000_000), "-.".repeat(500_000)])
        process.stdout.write(slugify("a" + long + "b").replace(/-[0-9a-f]{8}$/, "") + " ");
    `;
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@notesoup/source", "--input-type=module", "--eval", program],
      { encoding: "utf8", timeout: 40_000 },
    );
    expect({ stdout, signal, stderr }).toEqual({ stdout: "ab ab a a ", signal: null, stderr: "" });
  });

  it("drops every mark and orders none, for every code point there is", () => {
    const others: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const name = `a${String.fromCodePoint(codePoint)}\u0316`;
      const expected = name
        .normalize("NFKD")
        .toLowerCase()
        .replace(/\p{M}+/gu, "");
      const slug = expected.replace(/[^a-z0-9.]+/gu, "-").replace(/[-.]+$/u, "");
      if (slugify(name) !== slug) others.push(name);
    }
    expect(others).toEqual([]);
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
