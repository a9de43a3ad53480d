import { readFileSync, statSync, utimesSync } from "node:fs";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { NoteError } from "../src/index.ts";
import { PROJECT, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await storeFixture();
});

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
      const file = fixture.given(`${PROJECT}/a.md`, content);
      utimesSync(file, new Date("2021-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z"));
      const { ino } = statSync(file);
      const meta = {
        origin: "external",
        createdAt: "2021-01-01T00:00:00.000Z",
        updatedAt: "2021-01-01T00:00:00.000Z",
        accessCount: 0,
        extra: {},
      };
      expect(await fixture.store.list()).toMatchObject([{ address: "@project/a.md", body: content, meta }]);
      expect((await fixture.store.search(["body"])).map((row) => row.meta)).toEqual([meta]);
      expect(await fixture.store.read("@project/a")).toMatchObject({ body: content, meta });
      expect([statSync(file).ino, readFileSync(file, "utf8")]).toEqual([ino, content]);
      expect(globalThis).not.toHaveProperty("pwned");

      const updated = await fixture.store.update("@project/a", [{ oldText: "body", newText: "new" }]);
      expect(readFileSync(file, "utf8")).toBe(
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
    const file = fixture.given(`${PROJECT}/a.md`, `---\n${bomb.join("\n")}\nplain: 1\n---\nbody`);
    const extra = { i: "[omitted: too large]", m: "[omitted: too large]", plain: 1 };
    expect(await fixture.store.list()).toMatchObject([{ meta: { extra } }]);
    expect(await fixture.store.search(["body"])).toMatchObject([{ meta: { extra } }]);
    expect(await fixture.store.read("@project/a")).toMatchObject({ body: "body", meta: { extra, accessCount: 1 } });
    await fixture.store.write("@project/a", "new");
    for (const line of bomb) expect(readFileSync(file, "utf8").split("\n")).toContain(line);
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
        const file = fixture.given(`${PROJECT}/own.md`, `---\n${lines}\n---\nbody`.replaceAll("\n", end));
        const before = readFileSync(file, "utf8");
        const first = await fixture.store.read("@project/own");
        const second = await fixture.store.read("@project/own");
        expect([second?.body, second?.meta.extra]).toEqual([first?.body, first?.meta.extra]);
        if (readFileSync(file, "utf8") !== before) {
          counted++;
          expect(second?.meta.accessCount).toBe((first?.meta.accessCount ?? 0) + 1);
          const foreign = before
            .split("\n")
            .filter((line) => !/(?:lastAccessed|accessCount)|^\{|\}\r?$|not yet/u.test(line));
          const now = readFileSync(file, "utf8").split("\n");
          // In a mapping between braces the counts stand behind its last entry, on the same line.
          const isKept = (line: string): boolean =>
            now.some((kept) => kept === line || kept.startsWith(`${line.replace(/\r$/u, "")}, `));
          expect(foreign.filter((line) => !isKept(line))).toEqual([]);
        }
        const outcome = await fixture.store.write("@project/own", "new").catch((error: unknown) => error);
        if (outcome instanceof NoteError) {
          expect(outcome.code).toBe("read_only");
          return;
        }
        written++;
        expect(await fixture.store.read("@project/own")).toMatchObject({
          body: "new",
          meta: { extra: first?.meta.extra },
        });
      }),
      { numRuns: 250, examples: [["{a: 1,\ntitle: x\n}", "\n"]] },
    );
    expect({ counted: counted > 25, written: written > 60 }).toEqual({ counted: true, written: true });
  });
});
