import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddress } from "../src/address.ts";
import { createNotesStore, NoteError } from "../src/index.ts";
import { namespaceFolder } from "../src/namespace.ts";
import { identityIn } from "./identities.ts";

const identity = identityIn("/home");
const parsed = (address: string) => {
  const { address: canonical, namespace, components } = parseAddress(address, identity);
  return {
    canonical,
    directory: [...namespaceFolder(namespace), ...components].join("/"),
    readOnly: namespace.access !== "own",
  };
};
const codeOf = (address: string): string => {
  try {
    parseAddress(address, identity);
    return "parsed";
  } catch (error) {
    if (error instanceof NoteError) return error.code;
    throw error;
  }
};

describe("an address", () => {
  it.each([
    ["todo", "todo.md", "pi/session/session-1/todo.md", false],
    ["todo.md", "todo.md", "pi/session/session-1/todo.md", false],
    ["a/b.txt", "a/b.txt.md", "pi/session/session-1/a/b.txt.md", false],
    ["@project/d", "@project/d.md", "project/app-0a1b2c3d/d.md", false],
    ["@human/d", "@human/d.md", "human/d.md", false],
    ["@self/d", "@self/d.md", "agents/pi/d.md", false],
    ["@model/d", "@model/d.md", "models/some-model/d.md", false],
    ["@agents/pi/d", "@self/d.md", "agents/pi/d.md", false],
    ["@models/some-model/d", "@model/d.md", "models/some-model/d.md", false],
    ["@agents/other/d", "@agents/other/d.md", "agents/other/d.md", true],
    ["@models/other/d", "@models/other/d.md", "models/other/d.md", true],
    ["@projects/app-0a1b2c3d/d", "@projects/app-0a1b2c3d/d.md", "project/app-0a1b2c3d/d.md", true],
    ["@sessions/session-1/d", "@sessions/session-1/d.md", "pi/session/session-1/d.md", true],
    ["@sessions/01A.b_c-d/x/y", "@sessions/01A.b_c-d/x/y.md", "pi/session/01A.b_c-d/x/y.md", true],
  ])("%j is %s in %s", (address, canonical, directory, readOnly) => {
    expect(parsed(address)).toEqual({ canonical, directory, readOnly });
  });

  it.each([
    "release@v1",
    "@project/mail/alice@example.com",
    "a@(b)",
    "(copy)",
    "#x",
    "!x",
    ".hidden",
    "a..b",
    "日記/今日",
    "*",
  ])("takes %j: only the first character is a sigil, and letters are letters", (address) => {
    expect(codeOf(address)).toBe("parsed");
  });

  it("is composed (NFC), however it was written", () => {
    expect(parsed("cafe\u0301").canonical).toBe("caf\u00e9.md");
  });

  it.each([
    "@projectx/a",
    "@project2/a",
    "@selfie/a",
    "@head",
    "@",
    "@/a",
    "@default",
    "@default/a",
    "@Project/a",
    "@toString/a",
  ])("refuses %j: its sigil names nothing", (address) => {
    expect(codeOf(address)).toBe("unknown_scope");
  });

  it.each([
    "",
    "/",
    "/etc/passwd",
    "a//b",
    "a/",
    "@project",
    "@project/",
    "@projects/app-0a1b2c3d",
    "@projects/app-0a1b2c3d/",
    "@projects/",
    "@projects/../a",
    "@sessions//a",
    "@agents/Pi/a",
    "@agents/a b/a",
    ".",
    "..",
    "../a",
    "a/../b",
    "@human/./a",
    "a\0",
    "a\nb",
    "a\u0085b",
    "a\\b",
    "a:b",
    "C:/a",
    "a ",
    "a /b",
    "a.",
    "a./b",
    "nul",
    "a/nul",
    "NUL.md",
    "@project/aux.md",
    "COM1",
    "COM¹",
    "lpt9.tar.gz",
    "conin$",
    "nul .txt",
    ".md",
    "a/.md",
    "x/".repeat(16) + "x",
    "é".repeat(127),
  ])("refuses %j", (address) => {
    expect(codeOf(address)).toBe("invalid_address");
  });

  it.each(["s1", "01A.b_c-d", "Session_1", `0${"a".repeat(127)}`])(
    "takes %j as a session or project where an identity takes it",
    (name) => {
      expect(() => createNotesStore(identityIn("/home", { sessionId: name, projectKey: name }))).not.toThrow();
      expect([`@sessions/${name}/a`, `@projects/${name}/a`].map(codeOf)).toEqual(["parsed", "parsed"]);
    },
  );

  it.each(["-a", ".a", "a.", "a b", "é", "nul", "aux.log", "COM1", "a".repeat(129)])(
    "refuses %j as a session or project, as an identity does",
    (name) => {
      for (const field of ["sessionId", "projectKey"])
        expect(() => createNotesStore(identityIn("/home", { [field]: name }))).toThrow(NoteError);
      expect([`@sessions/${name}/a`, `@projects/${name}/a`].map(codeOf)).toEqual([
        "invalid_address",
        "invalid_address",
      ]);
    },
  );

  it("takes what is at the bounds: 16 components, 255 bytes with .md", () => {
    expect(codeOf("x/".repeat(15) + "x")).toBe("parsed");
    expect(codeOf("é".repeat(126))).toBe("parsed");
  });

  it("takes the longest there is, in the longest of its forms", () => {
    const component = "\u01d6".repeat(126);
    const name = `0${"a".repeat(127)}`;
    const longest = `@projects/${name}/${Array.from({ length: 16 }, () => component).join("/")}`;
    expect(longest.normalize("NFD").length).toBeGreaterThan(1.4 * longest.length);
    expect(parsed(longest.normalize("NFD")).canonical).toBe(`${longest}.md`);
  });

  it("is in no form longer than one and a half UTF-16 units for each byte of its composed form, whatever it is of", () => {
    const longer: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      if (!character.isWellFormed()) continue;
      const longest = Math.max(character.length, character.normalize("NFD").length);
      if (longest > 1.5 * Buffer.byteLength(character.normalize("NFC"))) longer.push(character);
    }
    expect(longer).toEqual([]);
  });

  it.each(["a", "a/", "@", "\u0301\u0316\u0334", "\ud800"])(
    "that is far too long is refused by its length alone, in a short message: %j again and again",
    (piece) => {
      const given = piece.repeat(1_000_000);
      expect(() => parseAddress(given, identity)).toThrow(
        expect.objectContaining({
          code: "invalid_address",
          message: expect.stringMatching(
            /^a text of \d+ characters is not an address: the longest has \d+; .{1,250}$/u,
          ),
        }),
      );
    },
  );

  it.each([5, null, undefined, Object.create(null), Symbol("a")])("refuses what is no text", (value) => {
    expect(codeOf(value as string)).toBe("invalid_address");
  });

  it("refuses a lone surrogate as text that no file name can hold", () => {
    expect(codeOf("a\ud800")).toBe("invalid_text");
  });

  it("refuses in one line that names what was given, what was wrong and what would do", () => {
    expect(() => parseAddress("a\n\u202eb", identity)).toThrow(
      /^"a\\n\\u202eb" is not an address: it holds a control character; an address is a path for this session .*@project\/….*$/u,
    );
  });

  it("that parses stays inside its notebook's folder, whatever was given", () => {
    const piece = fc.constantFrom(
      "a",
      "..",
      ".",
      "/",
      "\\",
      "@project/",
      "@sessions/",
      "@agents/",
      "%2e",
      "\0",
      " ",
      "：",
      "\uff0f",
      "．．",
      "é",
      "nul",
      "md",
      ".md",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
        ),
        (address) => {
          if (codeOf(address) !== "parsed") return;
          const { components, namespace } = parseAddress(address, identity);
          const all = [...namespaceFolder(namespace), ...components];
          for (const component of all) expect(component).not.toMatch(/^\.{0,2}$|[/\\\0]/u);
          expect(components.at(-1)).toMatch(/.\.md$/u);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("has one canonical spelling, which means the same note", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
        fc.constantFrom("", "@project/", "@agents/pi/", "@agents/other/", "@sessions/s1/"),
        (path, prefix) => {
          if (codeOf(prefix + path) !== "parsed") return;
          const once = parsed(prefix + path);
          expect(parsed(once.canonical)).toEqual(once);
        },
      ),
    );
  });
});
