import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createNotesStore, type NoteRow, projectKey } from "@notesoup/notes";
import {
  notesListTool,
  type NotesListResult,
  type NotesSearchResult,
  OUTPUT_BUDGET_BYTES,
  resultOf,
} from "@notesoup/protocol";
import { renderNotesList } from "@notesoup/render";
import fc from "fast-check";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { notesList, notesSearch, notesUpdate, notesWrite } from "../src/index.ts";
import { bytes, code, decorators, fits, notesFixture, type NotesFixture, success } from "./notes-fixture.ts";

let notes: NotesFixture;
beforeEach(async () => {
  notes = await notesFixture();
});

const write = async (address: string, content: string): Promise<void> => {
  success(await notesWrite(notes.context, { address, content }));
};
const addresses = ({ files }: NotesListResult): string[] => files.map(({ address }) => address);
const NOT_UTF8 = Uint8Array.of(0x61, 0xe9, 0x0a);

/** A note as the wire has it, written out once more. */
function listed({ address, meta, ...row }: NoteRow): NotesListResult["files"][number] {
  return {
    address,
    ...(address.startsWith("@project/") ? { project_key: notes.identity.projectKey } : {}),
    bytes: row.bytes,
    origin: meta.origin,
    updated_at: meta.updatedAt,
  };
}

describe("notes_list", () => {
  it("lists notes without their bodies, the last updated first", async () => {
    notes.given(["project", "app-0a1b2c3d", "a.md"], "---\norigin: user\nupdatedAt: 2026-01-01T00:00:00.000Z\n---\nné");
    notes.given(["human", "b.md"], "---\norigin: self\nupdatedAt: 2026-01-02T00:00:00.000Z\n---\n");
    const answer = await notesList(notes.context, {});
    expect(success(answer)).toEqual({
      files: [
        { address: "@human/b.md", bytes: 0, origin: "self", updated_at: "2026-01-02T00:00:00.000Z" },
        {
          address: "@project/a.md",
          project_key: "app-0a1b2c3d",
          bytes: 3,
          origin: "user",
          updated_at: "2026-01-01T00:00:00.000Z",
        },
      ],
      more: 0,
    });
    expect(answer.text).toBe(renderNotesList(success(answer)));
    expect(Check(notesListTool.result, resultOf(answer.outcome))).toBe(true);
  });

  it("is empty where there are no notes, and creates none", async () => {
    const answer = await notesList(notes.context, {});
    expect(success(answer)).toEqual({ files: [], more: 0 });
    expect(answer.text).toBe("no notes found");
  });

  it("selects by glob, in the project of the call's cwd", async () => {
    const cwd = "inner";
    success(await notesWrite(notes.context, { address: "@project/inner", content: "x", cwd }));
    await write("@project/outer", "x");
    await write("todo", "x");
    const { files } = success(await notesList(notes.context, { glob: "@project/**", cwd }));
    expect(files).toMatchObject([
      { address: "@project/inner.md", project_key: projectKey(join(notes.folder, "base", "inner")) },
    ]);
    expect(addresses(success(await notesList(notes.context, { glob: "t*.md" })))).toEqual(["todo.md"]);
  });

  it("lists the crumpled notes where they are asked for, and only then", async () => {
    await write("live", "x");
    await write("gone", "x");
    const { updated_at } = success(await notesUpdate(notes.context, { address: "gone", crumpled: true }));
    expect(addresses(success(await notesList(notes.context, {})))).toEqual(["live.md"]);
    expect(addresses(success(await notesList(notes.context, { crumpled: false })))).toEqual(["live.md"]);
    const { files } = success(await notesList(notes.context, { crumpled: true }));
    expect(files).toMatchObject([{ address: "gone.md", updated_at, crumpled_at: expect.any(String) }]);
  });

  it("delivers no more than the limit, and counts the others", async () => {
    for (const name of ["a", "b", "c"]) notes.given(["human", `${name}.md`], name);
    const data = success(await notesList(notes.context, { limit: 2 }));
    expect([data.files.length, data.more]).toEqual([2, 1]);
    expect((await notesList(notes.context, { limit: 2 })).text).toMatch(/\n\+1 more; narrow with glob$/u);
  });

  it.each([0, -1, 1001, 1.5, Number.NaN, "5"])("refuses a limit of %j with invalid_range", async (limit) => {
    expect(code(await notesList(notes.context, { limit: limit as number }))).toBe("invalid_range");
  });

  it.each<[string, object]>([
    ["invalid_glob", { glob: "@default/**" }],
    ["invalid_glob", { glob: 5 }],
    ["unknown_scope", { glob: "@head/**" }],
    ["invalid_cwd", { cwd: "missing" }],
    ["invalid_text", { crumpled: "true" }],
  ])("refuses with %s: %j", async (expected, args) => {
    expect(code(await notesList(notes.context, args))).toBe(expected);
  });
});

describe("what a list could not read", () => {
  it("is told apart from an empty notebook, which is not named, and from one of which not everything fits", async () => {
    mkdirSync(join(notes.identity.home, "agents"), { recursive: true });
    symlinkSync(notes.folder, join(notes.identity.home, "agents", "pi"));
    mkdirSync(join(notes.identity.home, "models", "some-model"), { recursive: true });
    const truncated = 400;
    for (let index = 0; index < truncated; index++) notes.given(["human", `${index}.md`], "x");
    for (const query of [notesList(notes.context, {}), notesSearch(notes.context, { limit: 100 })]) {
      const { files, more, ...unavailable } = success<NotesListResult | NotesSearchResult>(await query);
      expect(unavailable).toEqual({ namespaces_unavailable: ["@self"] });
      expect(more).toBeGreaterThan(0);
      expect(files.length + more).toBe(truncated);
    }
  });

  it("is named with its code, beside what it could", async () => {
    await write("@human/good", "x");
    notes.given(["human", "bad.md"], NOT_UTF8);
    mkdirSync(join(notes.identity.home, "agents"), { recursive: true });
    symlinkSync(notes.folder, join(notes.identity.home, "agents", "pi"));
    const answer = await notesList(notes.context, {});
    expect(success(answer)).toMatchObject({
      files: [{ address: "@human/good.md" }],
      namespaces_unavailable: ["@self"],
      notes_unavailable: [{ address: "@human/bad.md", code: "not_utf8" }],
    });
    expect(success(answer)).not.toHaveProperty("more_unavailable");
    expect(answer.text).toMatch(/\nunavailable @self\nunavailable @human\/bad\.md · not_utf8$/u);
    expect(answer.text).not.toContain(notes.folder);
    expect(Check(notesListTool.result, resultOf(answer.outcome))).toBe(true);
  });

  it("is named up to 20 of each, and counted beyond", async () => {
    for (let index = 0; index < 25; index++) {
      notes.given(["human", `bad-${index}.md`], NOT_UTF8);
      mkdirSync(join(notes.identity.home, "agents"), { recursive: true });
      symlinkSync(notes.folder, join(notes.identity.home, "agents", `other-${index}`));
    }
    const data = success(await notesList(notes.context, { glob: "**" }));
    expect([data.namespaces_unavailable?.length, data.notes_unavailable?.length]).toEqual([20, 20]);
    expect(data.more_unavailable).toBe(10);
  });

  it("leaves room for one note, and is counted where it has none itself", async () => {
    await write("@human/good", "x");
    const folders = Array(10).fill("界".repeat(80));
    for (let index = 0; index < 20; index++) notes.given(["human", ...folders, `${index}.md`], NOT_UTF8);
    const answer = await notesList(notes.context, {});
    const data = success(answer);
    expect(addresses(data)).toEqual(["@human/good.md"]);
    const named = data.notes_unavailable?.length ?? 0;
    expect(named).toBeGreaterThan(5);
    expect(named + (data.more_unavailable ?? 0)).toBe(20);
    const next = { address: data.notes_unavailable?.[0]?.address ?? "", code: "not_utf8" };
    const larger = { ...data, notes_unavailable: [...(data.notes_unavailable ?? []), next] };
    expect(fits(larger, renderNotesList, (text) => text)).toBe(false);
  });

  it("is counted alone where a decoration leaves no more room", async () => {
    notes.given(["human", "bad.md"], NOT_UTF8);
    const context = notes.decorated((text) => text.padStart(text.length + OUTPUT_BUDGET_BYTES - 40));
    expect(success(await notesList(context, {}))).toEqual({ files: [], more: 0, more_unavailable: 1 });
  });
});

describe("the size of a list", () => {
  it("of more notes than fit holds those that were updated last, and says in both forms how many it left out", async () => {
    const time = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
    for (let index = 0; index < 1100; index++)
      notes.given(["human", `${(index * 7) % 1100}.md`], `---\nupdatedAt: ${time(index)}\n---\nx`);
    const answer = await notesList(notes.context, {});
    const { files, more } = success(answer);
    expect(files.length).toBeGreaterThan(100);
    expect(more).toBe(1100 - files.length);
    expect(files.map(({ updated_at }) => updated_at)).toEqual(files.map((_, index) => time(1099 - index)));
    expect(answer.text.split("\n").at(-1)).toBe(`+${more} more; narrow with glob`);
  });

  it("is refused where not even its first note fits", async () => {
    await write("a", "x");
    const context = notes.decorated((text) => text.padStart(text.length + OUTPUT_BUDGET_BYTES - 20));
    const answer = await notesList(context, {});
    expect(code(answer)).toBe("output_too_large");
    expect(answer.text).toContain("narrow with glob");
    expect(success(await notesList(context, { glob: "none" })).files).toEqual([]);
  });

  it("is the largest of which both forms fit, and every note is in it or counted", async () => {
    const names = fc.array(fc.constantFrom("a", "界", '"', "é", "\u2028", "😀"), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 0, max: 30 }),
        fc.constantFrom("human", "project/app-0a1b2c3d"),
        decorators,
        fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
        async (name, good, bad, notebook, decorate, limit) => {
          notes = await notesFixture();
          for (let index = 0; index < good + bad; index++)
            notes.given([...notebook.split("/"), `${name.join("")}${index}.md`], index < good ? "x" : NOT_UTF8);
          const rows = await createNotesStore(notes.identity).list();
          const answer = await notesList(notes.decorated(decorate), limit === undefined ? {} : { limit });
          const data = success(answer);
          expect(answer.text).toBe(decorate(renderNotesList(data)));
          expect(bytes(answer.text)).toBeLessThanOrEqual(OUTPUT_BUDGET_BYTES);
          expect(bytes(JSON.stringify(data))).toBeLessThanOrEqual(OUTPUT_BUDGET_BYTES);
          expect(data.files).toEqual(rows.slice(0, data.files.length).map(listed));
          expect([data.files.length + data.more, rows.length]).toEqual([good, good]);
          expect((data.notes_unavailable?.length ?? 0) + (data.more_unavailable ?? 0)).toBe(bad);
          expect(data.notes_unavailable ?? []).toHaveLength(Math.min(bad, 20));
          expect(data.files.length).toBeLessThanOrEqual(limit ?? good);
          const next = rows[data.files.length];
          if (next === undefined || data.files.length === limit) return;
          const larger = { ...data, files: [...data.files, listed(next)], more: data.more - 1 };
          expect(fits(larger, renderNotesList, decorate)).toBe(false);
        },
      ),
      { numRuns: 15 },
    );
  });
});
