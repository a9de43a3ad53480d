import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore, NoteError, type NotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

let home: string;

let store: NotesStore;

beforeEach(async () => {
  home = join(await temporaryFolder(), "notes");
  store = createNotesStore(identityIn(home));
});

const fileOf = (...path: string[]): string => join(home, ...path);

const project = (name: string): string => fileOf("project", "app-0a1b2c3d", name);

const text = (path: string): string => readFileSync(path, "utf8");

/** Puts a file where a person would have put it. */
function given(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

describe("a file of a person's own", () => {
  it.each([
    ["that begins with a banner", "---\n**NORTH STAR OFFICE**\n---\nbody\n"],
    ["whose block is a scalar", "---\nNORTH STAR OFFICE\n---\nbody\n"],
    ["whose block is code", "---js\n({pwn: globalThis.pwned = 1})\n---\nbody\n"],
    ["whose block is too long", `---\na: ${"x".repeat(16 * 1024)}\n---\nbody\n`],
    ["without a block", "body"],
  ])(
    "%s is listed, found and read as one body, not written to, and gets a block above it when it is changed",
    async (_what, content) => {
      const file = given(project("a.md"), content);
      utimesSync(file, new Date("2021-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z"));
      const { ino } = statSync(file);
      const meta = {
        origin: "external",
        createdAt: "2021-01-01T00:00:00.000Z",
        updatedAt: "2021-01-01T00:00:00.000Z",
        accessCount: 0,
        extra: {},
      };
      expect(await store.list()).toMatchObject([{ address: "@project/a.md", body: content, meta }]);
      expect((await store.search(["body"])).map((row) => row.meta)).toEqual([meta]);
      expect(await store.read("@project/a")).toMatchObject({ body: content, meta });
      expect([statSync(file).ino, text(file)]).toEqual([ino, content]);
      expect(globalThis).not.toHaveProperty("pwned");

      const updated = await store.update("@project/a", [{ oldText: "body", newText: "new" }]);
      expect(text(file)).toBe(
        `---\norigin: external\ncreatedAt: ${meta.createdAt}\nupdatedAt: ${updated.meta.updatedAt}\n---\n${content.replace("body", "new")}`,
      );
    },
  );

  it("keeps a value that unfolds beyond measure, which is named in its place", async () => {
    const bomb = [
      "a: &a [x, x, x, x, x, x, x, x]",
      ...Array.from("abcdefgh", (name, index) => {
        const next = "bcdefghi"[index] ?? "";
        return `${next}: &${next} [${Array(8).fill(`*${name}`).join(", ")}]`;
      }),
      "m: &m {self: *m}",
    ];
    const file = given(project("a.md"), `---\n${bomb.join("\n")}\nplain: 1\n---\nbody`);
    const extra = { i: "[omitted: too large]", m: "[omitted: too large]", plain: 1 };
    expect(await store.list()).toMatchObject([{ meta: { extra } }]);
    expect(await store.search(["body"])).toMatchObject([{ meta: { extra } }]);
    expect(await store.read("@project/a")).toMatchObject({ body: "body", meta: { extra, accessCount: 1 } });
    await store.write("@project/a", "new");
    for (const line of bomb) expect(text(file).split("\n")).toContain(line);
  });

  it("keeps every byte but the counting lines through reads, and body and metadata through a write, whatever its block", async () => {
    const fragment = fc.constantFrom(
      "title: x",
      "? x:",
      "- a",
      "a: &e",
      "b: *e",
      "c: !!str",
      "{",
      "}",
      "{a: 1,",
      "d: # not yet",
      "'q': \"z\"",
      "k: |",
      "  text",
      'updatedAt: ""',
      'accessCount: "q',
      "crumpledAt:",
      "createdAt: 2020-01-01",
      "e: a\rf: b",
      "g: a\u2028h: b",
      "i: x\u00a0",
      "...",
      "# c",
      "",
      "[a,",
      "]",
      "key: [x, y]",
      "%YAML 1.2",
      "\tt: 1",
      "lastAccessed: x",
      "accessCount: 7",
      "<<: {z: 1}",
    );
    const block = fc.array(fragment, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n"));
    let counted = 0;
    let written = 0;
    await fc.assert(
      fc.asyncProperty(block, fc.constantFrom("\n", "\r\n"), async (lines, end) => {
        const file = given(project("own.md"), `---\n${lines}\n---\nbody`.replaceAll("\n", end));
        const before = text(file);
        const first = await store.read("@project/own");
        const second = await store.read("@project/own");
        expect([second?.body, second?.meta.extra]).toEqual([first?.body, first?.meta.extra]);
        if (text(file) !== before) {
          counted++;
          expect(second?.meta.accessCount).toBe((first?.meta.accessCount ?? 0) + 1);
          const foreign = before
            .split("\n")
            .filter((line) => !/(?:lastAccessed|accessCount)|^\{|\}\r?$|not yet/u.test(line));
          for (const line of foreign) expect(text(file).split("\n")).toContain(line);
        }
        const outcome = await store.write("@project/own", "new").catch((error: unknown) => error);
        if (outcome instanceof NoteError) {
          expect(outcome.code).toBe("read_only");
          return;
        }
        written++;
        expect(await store.read("@project/own")).toMatchObject({ body: "new", meta: { extra: first?.meta.extra } });
      }),
      { numRuns: 250 },
    );
    expect({ counted: counted > 25, written: written > 60 }).toEqual({ counted: true, written: true });
  });
});
