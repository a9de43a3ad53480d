import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK_MAX_BYTES, joinNote, splitNote } from "../src/frontmatter.ts";

const bodyOf = (text: string): string => splitNote(text).body;
const isFrontmatter = (text: string): boolean => splitNote(text).frontmatter !== undefined;

describe("frontmatter", () => {
  it.each([
    ["---\na: 1\n---\nbody\n", "body\n"],
    ["---\r\na: 1\r\n---\r\nbody", "body"],
    ["---\na: 1\n---\n", ""],
    ["---\na: 1\n---", ""],
    ["\ufeff---\na: 1\n---\n\ufeffbody", "\ufeffbody"],
    ["---\na: 1\n---\n---\nb: 2\n---\n", "---\nb: 2\n---\n"],
    ["---\ntitle: a\u2028---\nreal: 1\n---\nbody", "body"],
    [`---\nk: ${"[".repeat(64)}${"]".repeat(64)}\n---\nbody`, "body"],
  ])("is a YAML mapping between two lines of ---: %j", (text, body) => {
    expect(isFrontmatter(text)).toBe(true);
    expect(bodyOf(text)).toBe(body);
  });

  it.each([
    ["a banner", "---\n**NORTH STAR OFFICE**\n---\nbody\n"],
    ["a scalar", "---\nNORTH STAR OFFICE\n---\nbody\n"],
    ["a list", "---\n- a\n---\nbody\n"],
    ["code", "---js\n({pwn: 1+1})\n---\nb"],
    ["nothing", "---\n---\nbody"],
    ["no end", "---\na: 1\nbody"],
    ["not at the start", "\n---\na: 1\n---\n"],
    ["an indented end", "---\na: 1\n ---\nbody"],
    ["a longer rule", "---\na: 1\n----\nbody"],
    ["a broken block", "---\na: [\n---\nbody"],
    ["an end behind a line separator", "---\ntitle: a\u2028---\nbody"],
    ["an end behind a lone CR", "---\ntitle: a\r---\nbody"],
    ["an end before a lone CR", "---\ntitle: x\n---\rbody"],
    ["an end before a line separator", "---\ntitle: x\n---\u2028body"],
    ["nested beyond measure", `---\nk: ${"[".repeat(65)}${"]".repeat(65)}\n---\nbody`],
    ["a list in a list beyond measure", `---\nk:\n  ${"- ".repeat(65)}x\n---\nbody`],
  ])("is not %s: the whole text is body", (_what, text) => {
    expect(isFrontmatter(text)).toBe(false);
    expect(bodyOf(text)).toBe(text);
  });

  it("leaves the byte order mark out of a body without frontmatter", () => {
    expect(splitNote("\ufeffbody")).toEqual({ bom: "\ufeff", frontmatter: undefined, body: "body" });
  });

  it("is at most 16 KiB; a longer block is body", () => {
    const block = (bytes: number): string => `---\na: ${"x".repeat(bytes - 4)}\n---\n`;
    expect(isFrontmatter(block(BLOCK_MAX_BYTES))).toBe(true);
    expect(isFrontmatter(block(BLOCK_MAX_BYTES + 1))).toBe(false);
  });

  it("joins to the same text that was split, whatever it was", () => {
    const line = fc.constantFrom("---", "a: 1", "b: [x]", "", "text", "...", "# c", " ---", "\ufeff", "😀");
    const text = fc
      .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "")), { maxLength: 8 })
      .map((lines) => lines.flat().join(""));
    let withFrontmatter = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((rest) => `---\na: 1\n---\n${rest}`),
        ),
        (whole) => {
          const note = splitNote(whole);
          if (note.frontmatter === undefined) {
            expect(note.bom + note.body).toBe(whole);
            return;
          }
          withFrontmatter++;
          expect(joinNote(note, note.frontmatter.block, note.body)).toBe(whole);
        },
      ),
      { numRuns: 2000 },
    );
    expect(withFrontmatter).toBeGreaterThan(500);
  });

  it("gets a line end where a block that ended the file gains a body", () => {
    expect(joinNote(splitNote("---\r\na: 1\r\n---"), "a: 1\r\n", "body")).toBe("---\r\na: 1\r\n---\r\nbody");
  });

  it("is read within bounds, however it was made to keep a parser busy", () => {
    const program = fileURLToPath(new URL("hostile-blocks.ts", import.meta.url));
    const { stdout, signal } = spawnSync(process.execPath, ["--conditions=@notesoup/source", program], {
      encoding: "utf8",
      timeout: 10_000,
    });
    expect({ stdout, signal }).toEqual({ stdout: "read\n", signal: null });
  });
});
