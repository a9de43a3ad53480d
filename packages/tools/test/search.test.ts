import { createNotesStore, type NoteMatch } from "@notesoup/notes";
import { notesSearchTool, type NotesSearchResult, OUTPUT_BUDGET_BYTES, resultOf } from "@notesoup/protocol";
import { renderNotesSearch } from "@notesoup/render";
import fc from "fast-check";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { type Decorate, notesRead, notesSearch, notesUpdate, notesWrite } from "../src/index.ts";
import { code, decorators, fits, notesFixture, type NotesFixture, success } from "./notes-fixture.ts";

let notes: NotesFixture;
beforeEach(async () => {
  notes = await notesFixture();
});

const write = async (address: string, content: string): Promise<void> => {
  success(await notesWrite(notes.context, { address, content }));
};
const search = async (query: string | string[], decorate: Decorate = (text) => text): Promise<NotesSearchResult> =>
  success(await notesSearch(notes.decorated(decorate), { query }));
const wire = ({ line, offsetChars, text }: NoteMatch): NotesSearchResult["files"][number]["matches"][number] => ({
  line,
  offset_chars: offsetChars,
  text,
});

describe("notes_search", () => {
  it("delivers notes by address with the lines that hold the text", async () => {
    await write("@project/b", "İİ Error 😀 here\nnone\n\terror\r\n");
    await write("@human/a", "an ERROR");
    await write("@human/none", "x");
    const answer = await notesSearch(notes.context, { query: "error" });
    expect(success(answer)).toEqual({
      files: [
        { address: "@human/a.md", matches: [{ line: 1, offset_chars: 3, text: "an ERROR" }] },
        {
          address: "@project/b.md",
          project_key: "app-0a1b2c3d",
          matches: [
            { line: 1, offset_chars: 3, text: "İİ Error 😀 here" },
            { line: 3, offset_chars: 22, text: "\terror" },
          ],
        },
      ],
      more: 0,
    });
    expect(answer.text).toBe(renderNotesSearch(success(answer)));
    expect(Check(notesSearchTool.result, resultOf(answer.outcome))).toBe(true);
  });

  it("counts positions as a read does: from a match on, a read begins with the hit", async () => {
    await write("@human/a", "İİ 😀\r\nhere: needle 😀 and more\n");
    const [file] = (await search("NEEDLE")).files;
    expect(file?.matches).toHaveLength(1);
    const offset_chars = file?.matches[0]?.offset_chars ?? 0;
    const { text } = success(await notesRead(notes.context, { address: "@human/a", offset_chars }));
    expect(text).toBe("needle 😀 and more\n");
  });

  it("refuses texts longer than a note together, as the store does", async () => {
    const answer = await notesSearch(notes.context, { query: ["a".repeat(1_048_576), "b"] });
    expect(code(answer)).toBe("too_large");
    expect(answer.text).toContain("the texts to search for have 1048577 characters together");
  });

  it("takes several texts as alternatives, and ignores empty ones", async () => {
    await write("a", "one\ntwo\nthree");
    expect((await search(["one", "", "three"])).files[0]?.matches.map(({ text }) => text)).toEqual(["one", "three"]);
  });

  it.each([undefined, "", [], ["", ""]])(
    "delivers the notes without matches for the query %j, which is none",
    async (query) => {
      await write("b", "x");
      await write("a", "");
      const answer = await notesSearch(notes.context, query === undefined ? {} : { query });
      expect(success(answer)).toEqual({
        files: [
          { address: "a.md", matches: [] },
          { address: "b.md", matches: [] },
        ],
        more: 0,
      });
      expect(answer.text).toBe("a.md\nb.md");
    },
  );

  it("says that nothing was found", async () => {
    await write("a", "x");
    const answer = await notesSearch(notes.context, { query: "z" });
    expect([success(answer), answer.text]).toEqual([{ files: [], more: 0 }, "no notes found"]);
  });

  it("selects by glob and by being crumpled, and counts no access", async () => {
    await write("@human/a", "x");
    await write("@self/a", "x");
    await notesUpdate(notes.context, { address: "@self/a", crumpled: true });
    const found = async (args: object): Promise<string[]> =>
      success(await notesSearch(notes.context, { query: "x", ...args })).files.map(({ address }) => address);
    expect(await found({})).toEqual(["@human/a.md"]);
    expect(await found({ glob: "@self/**" })).toEqual([]);
    expect(await found({ glob: "@self/**", crumpled: true })).toEqual(["@self/a.md"]);
    expect((await createNotesStore(notes.identity).list())[0]?.meta.accessCount).toBe(0);
  });

  it("searches the project of the call's cwd", async () => {
    success(await notesWrite(notes.context, { address: "@project/a", content: "x", cwd: "inner" }));
    expect(success(await notesSearch(notes.context, { query: "x" })).files).toEqual([]);
    expect(success(await notesSearch(notes.context, { query: "x", cwd: "inner" })).files).toHaveLength(1);
  });

  it("delivers no more notes than the limit, and counts the others", async () => {
    for (const name of ["a", "b", "c"]) notes.given(["human", `${name}.md`], "x\nx");
    const data = success(await notesSearch(notes.context, { query: "x", limit: 2 }));
    expect(data.files.map(({ matches }) => matches.length)).toEqual([2, 2]);
    expect(data.more).toBe(1);
  });

  it("names what it could not read", async () => {
    notes.given(["human", "bad.md"], Uint8Array.of(0xe9));
    expect((await search("x")).notes_unavailable).toEqual([{ address: "@human/bad.md", code: "not_utf8" }]);
  });

  it.each<[string, object]>([
    ["invalid_range", { limit: 0 }],
    ["invalid_range", { limit: 1001 }],
    ["invalid_range", { limit: "5" }],
    ["invalid_glob", { glob: "a\\b" }],
    ["invalid_cwd", { cwd: "missing" }],
    ["invalid_text", { query: 5 }],
    ["invalid_text", { query: null }],
    ["invalid_text", { query: ["x", 5] }],
    ["invalid_text", { crumpled: "true" }],
  ])("refuses with %s: %j", async (expected, args) => {
    expect(code(await notesSearch(notes.context, { query: "x", ...args }))).toBe(expected);
  });
});

describe("a search of which not everything fits", () => {
  it("gives every note a match before any gets a second, and the rest in turns", async () => {
    notes.given(["human", "a.md"], "needle\n".repeat(5000));
    notes.given(["human", "b.md"], "needle\n".repeat(3));
    notes.given(["human", "c.md"], "needle\n".repeat(5000));
    const { files, more } = await search("needle");
    const [a, b, c] = files.map(({ matches }) => matches.length);
    expect([b, more]).toEqual([3, 0]);
    expect((a ?? 0) - (c ?? 0)).toBeOneOf([0, 1]);
    expect(files.map((file) => file.matches.length + (file.more_matches ?? 0))).toEqual([5000, 3, 5000]);
    expect(files[1]).not.toHaveProperty("more_matches");
  });

  it("lets a long line wait, so that it hides no other match", async () => {
    notes.given(["human", "a.md"], `needle${"x".repeat(20_000)}\nneedle`);
    notes.given(["human", "b.md"], `needle${"x".repeat(40_000)}`);
    notes.given(["human", "c.md"], `${"needle ".repeat(20)}\n`.repeat(100));
    const { files, more } = await search("needle");
    expect(more).toBe(0);
    expect(files[0]).toMatchObject({ matches: [{ line: 2, text: "needle" }], more_matches: 1 });
    expect(files[1]).toEqual({ address: "@human/b.md", matches: [], more_matches: 1 });
    expect(files[2]?.matches).toHaveLength(100);
  });

  it("gives a long line its place where there is room, in the order of lines", async () => {
    notes.given(["human", "a.md"], `needle${"x".repeat(20_000)}\nneedle`);
    expect((await search("needle")).files[0]?.matches.map(({ line }) => line)).toEqual([1, 2]);
  });

  it("cuts its first match, if that does not fit alone, to the longest prefix that does", async () => {
    const lines = fc
      .array(fc.constantFrom("a", "界", '"', "\u0001", "😀", "\\", "é"), { minLength: 1, maxLength: 5 })
      .map((units) => `needle${units.join("").repeat(40_000 / units.length)}`);
    await fc.assert(
      fc.asyncProperty(lines, decorators, async (line, decorate) => {
        notes = await notesFixture();
        notes.given(["human", "a.md"], `${line}\nneedle`);
        notes.given(["human", "b.md"], "needle");
        const data = await search("needle", decorate);
        expect(data).toMatchObject({ files: [{ address: "@human/a.md", more_matches: 1 }], more: 1 });
        expect(data.files).toHaveLength(1);
        const match = data.files[0]?.matches[0];
        const kept = match?.text.slice(0, -" [truncated]".length) ?? "";
        expect(match).toEqual({ line: 1, offset_chars: 0, text: `${kept} [truncated]` });
        expect(line.startsWith(kept) && kept.isWellFormed()).toBe(true);
        const next = String.fromCodePoint(line.codePointAt(kept.length) ?? 0);
        const cutTo = (text: string): NotesSearchResult => ({
          ...data,
          files: [
            {
              address: "@human/a.md",
              matches: [{ line: 1, offset_chars: 0, text: `${text} [truncated]` }],
              more_matches: 1,
            },
          ],
        });
        expect(fits(cutTo(kept), renderNotesSearch, decorate)).toBe(true);
        expect(fits(cutTo(kept + next), renderNotesSearch, decorate)).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  it("delivers the note without its match where not one character of it fits, and refuses where not even the note does", async () => {
    await write("a", `needle${"x".repeat(100)}`);
    const leaving = (room: number) =>
      notes.decorated((text) => text.padStart(text.length + OUTPUT_BUDGET_BYTES - room));
    const found = async (room: number) => notesSearch(leaving(room), { query: "needle" });
    expect(success(await found(80)).files[0]?.matches[0]?.text).toMatch(/^needlex+ \[truncated\]$/u);
    expect(success(await found(30)).files).toEqual([{ address: "a.md", matches: [], more_matches: 1 }]);
    expect(code(await found(10))).toBe("output_too_large");
  });

  it("is the largest of which both forms fit, and every note and match is in it or counted", async () => {
    const units = fc.array(fc.constantFrom("a", "界", '"', "\u0001", "😀", "\\", "\t"), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        units,
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60, size: "max" }),
        fc.integer({ min: 1, max: 8 }),
        decorators,
        fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
        async (unit, counts, times, decorate, limit) => {
          notes = await notesFixture();
          const line = `needle${unit.join("")}\n`;
          const all = Array(times).fill(counts).flat() as number[];
          for (const [index, count] of all.entries())
            notes.given(["project", "app-0a1b2c3d", `${index}.md`], `${line.repeat(count)}x`);
          const rows = await createNotesStore(notes.identity).search(["needle"]);
          const args = { query: "needle", ...(limit === undefined ? {} : { limit }) };
          const answer = await notesSearch(notes.decorated(decorate), args);
          const data = success(answer);
          expect(answer.text).toBe(decorate(renderNotesSearch(data)));
          expect(fits(data, renderNotesSearch, decorate)).toBe(true);
          expect(data.files.length + data.more).toBe(rows.length);
          expect(data.files.length).toBeLessThanOrEqual(limit ?? rows.length);
          for (const [index, file] of data.files.entries()) {
            const matches = rows[index]?.matches ?? [];
            // All lines are of one length: what is delivered are the first of them.
            expect(file.matches).toEqual(matches.slice(0, file.matches.length).map(wire));
            expect(file.matches.length + (file.more_matches ?? 0)).toBe(matches.length);
            expect(file.address).toBe(rows[index]?.address);
          }
          const row = rows[data.files.length];
          if (row !== undefined && data.files.length !== limit) {
            const left = row.matches.length - 1;
            const file = {
              address: row.address,
              project_key: "app-0a1b2c3d",
              matches: row.matches.slice(0, 1).map(wire),
              ...(left === 0 ? {} : { more_matches: left }),
            };
            const larger = { ...data, files: [...data.files, file], more: data.more - 1 };
            expect(fits(larger, renderNotesSearch, decorate)).toBe(false);
          }
          const next = nextInTurn(data);
          if (next === undefined) return;
          const match = rows[next]?.matches[data.files[next]?.matches.length ?? 0];
          const files = data.files.map((file, index) => {
            if (index !== next || match === undefined) return file;
            const { more_matches: left = 0, ...rest } = file;
            const matches = [...file.matches, wire(match)];
            return { ...rest, matches, ...(left === 1 ? {} : { more_matches: left - 1 }) };
          });
          expect(fits({ ...data, files }, renderNotesSearch, decorate)).toBe(false);
        },
      ),
      { numRuns: 25 },
    );
  });
});

/** The note whose turn it would have been. */
function nextInTurn({ files }: NotesSearchResult): number | undefined {
  const waiting = files.map(({ matches, more_matches }) => (more_matches === undefined ? Infinity : matches.length));
  const fewest = Math.min(...waiting);
  return fewest === Infinity ? undefined : waiting.indexOf(fewest);
}
