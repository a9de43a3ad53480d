import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectKey, type NotesIdentity } from "@notesoup/notes";
import {
  notesReadTool,
  notesWriteTool,
  OUTPUT_BUDGET_BYTES,
  resultOf,
  type NotesReadArguments,
  type NotesReadResult,
} from "@notesoup/protocol";
import fc from "fast-check";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import {
  notesList,
  notesRead,
  notesSearch,
  notesToolContext,
  notesUpdate,
  notesWrite,
  type Answer,
  type NotesToolContext,
} from "../src/index.ts";
import { bytes, code, notesFixture, type NotesFixture, success } from "./notes-fixture.ts";

let folder: string;
let identity: NotesIdentity;
let context: NotesToolContext;
let given: NotesFixture["given"];
beforeEach(async () => {
  ({ folder, identity, context, given } = await notesFixture());
});

describe("notes_write", () => {
  it("answers with a receipt, structured and in one line", async () => {
    const answer = await notesWrite(context, { address: "@project/decisions", content: "Use é." });
    const data = success(answer);
    expect(data).toEqual({
      address: "@project/decisions.md",
      project_key: "app-0a1b2c3d",
      outcome: "created",
      bytes: 7,
      updated_at: data.updated_at,
    });
    expect(answer.text).toBe("created @project/decisions.md · 7 bytes");
    expect(Check(notesWriteTool.result, resultOf(answer.outcome))).toBe(true);
  });

  it("names the project exactly where the address starts with @project/", async () => {
    for (const address of ["todo", "@human/a", "@self/a", "@model/a"]) {
      expect(success(await notesWrite(context, { address, content: "x" }))).not.toHaveProperty("project_key");
    }
  });

  it("passes the origin on", async () => {
    await notesWrite(context, { address: "a", content: "x", origin: "external" });
    expect(success(await notesRead(context, { address: "a" })).metadata.origin).toBe("external");
  });

  it("refuses before anything is written where the decorated receipt could not be delivered", async () => {
    const decorated = notesToolContext(identity, folder, { decorate: (text) => text.padEnd(OUTPUT_BUDGET_BYTES + 1) });
    expect(await notesWrite(decorated, { address: "a", content: "x" })).toMatchObject({
      outcome: { ok: false, error: { code: "output_too_large" } },
    });
    expect(existsSync(identity.home)).toBe(false);
  });

  it("delivers the receipt of a long address whose every letter JSON escapes, decorated to double its length", async () => {
    const decorated = notesToolContext(identity, folder, { decorate: (text) => text + text });
    const address = Array(12).fill('"'.repeat(250)).join("/");
    const answer = await notesWrite(decorated, { address, content: "x" });
    expect(code(answer)).toBe("ok");
    expect(bytes(answer.text)).toBeLessThanOrEqual(OUTPUT_BUDGET_BYTES);
  });
});

describe("a refusal", () => {
  it.each([
    ["@head", "unknown_scope"],
    ["../a", "invalid_address"],
    ["a\ud800", "invalid_text"],
    ["@sessions/session-1/a", "read_only"],
  ])("of %j is %s in one line, structured and as text", async (address, expected) => {
    const { outcome, text } = await notesWrite(context, { address, content: "x" });
    const result = resultOf(outcome);
    expect(Object.keys(result)).toEqual(["error", "code"]);
    expect(text).toBe(`error: ${expected}: ${"error" in result ? result.error : ""}`);
    expect(text).not.toContain("\n");
    expect(Check(notesWriteTool.result, result)).toBe(true);
  });

  it("of a missing note is not_found, names the address and the way on", async () => {
    expect((await notesRead(context, { address: "@project/none" })).text).toBe(
      'error: not_found: there is no note at "@project/none"; check the address, or write the note first',
    );
  });

  it("shows no path of the notes home, whatever failed", async () => {
    writeFileSync(identity.home, "a file in its place");
    const { text } = await notesWrite(context, { address: "@project/a", content: "x" });
    expect(text).toMatch(/^error: io: cannot write @project\/a\.md: .* \(ENOTDIR\)$/u);
    expect(text).not.toContain(folder);
  });

  it("is never decorated: it is the one plain line", async () => {
    const decorated = notesToolContext(identity, folder, { decorate: (text) => `above\n${text}` });
    expect((await notesRead(decorated, { address: "@head" })).text).toMatch(/^error: unknown_scope: [^\n]*$/u);
  });

  it("is coded for wrong types too, which a host that does not check its arguments lets through", async () => {
    const wrong = { address: 5, content: 5, cwd: null, origin: "robot" };
    const codes = Object.entries(wrong).map(async ([name, value]) =>
      code(await notesWrite(context, { address: "a", content: "x", [name]: value })),
    );
    expect(await Promise.all(codes)).toEqual(["invalid_address", "invalid_text", "invalid_cwd", "invalid_text"]);
    expect(code(await notesRead(context, { address: "a", limit_chars: Symbol("x") } as never))).toBe("invalid_range");
    expect(existsSync(identity.home)).toBe(false);
  });

  it("of an address that is too long to be one is invalid_address, and short", async () => {
    const { text } = await notesWrite(context, { address: "x".repeat(40_000), content: "x" });
    expect(text).toMatch(/^error: invalid_address: [^\n]{1,1000}$/u);
  });
});

describe("cwd", () => {
  it("selects the project of one call: address, receipt and files", async () => {
    const inner = projectKey(join(folder, "base", "inner"));
    const answer = success(await notesWrite(context, { address: "@project/a", content: "x", cwd: "inner" }));
    expect(answer.project_key).toBe(inner);
    expect(existsSync(join(identity.home, "project", inner, "a.md"))).toBe(true);
    expect(
      success(await notesRead(context, { address: "@project/a", cwd: join(folder, "base", "inner") })).project_key,
    ).toBe(inner);
    expect(code(await notesRead(context, { address: "@project/a" }))).toBe("not_found");
  });

  it("resolves against the host's base, never the process's own", async () => {
    const other = notesToolContext(identity, join(folder, "base", "inner"));
    expect(success(await notesWrite(other, { address: "@project/a", content: "x", cwd: ".." })).project_key).toBe(
      projectKey(join(folder, "base")),
    );
  });

  it("is taken by every operation, relative and absolute, and drives what @project and the default glob mean", async () => {
    for (const cwd of ["inner", join(folder, "base", "inner")]) {
      const project_key = projectKey(join(folder, "base", "inner"));
      const note = { address: "@project/a.md", project_key };
      expect(success(await notesWrite(context, { address: "@project/a", content: "x", cwd }))).toMatchObject(note);
      expect(success(await notesRead(context, { address: "@project/a", cwd }))).toMatchObject(note);
      expect(success(await notesUpdate(context, { address: "@project/a", origin: "user", cwd }))).toMatchObject(note);
      expect(success(await notesList(context, { cwd })).files).toMatchObject([note]);
      expect(success(await notesSearch(context, { query: "x", cwd })).files).toMatchObject([note]);
    }
    expect(success(await notesList(context, {})).files).toEqual([]);
  });

  it("that is no existing directory is refused by every operation", async () => {
    const cwd = "missing";
    const answers = [
      notesWrite(context, { address: "@project/a", content: "x", cwd }),
      notesRead(context, { address: "@project/a", cwd }),
      notesUpdate(context, { address: "@project/a", crumpled: true, cwd }),
      notesList(context, { cwd }),
      notesSearch(context, { query: "x", cwd }),
    ];
    expect((await Promise.all<Answer<unknown>>(answers)).map(code)).toEqual(Array(5).fill("invalid_cwd"));
  });

  it("changes the project alone: home, session, person, agent and model stay, and so does the context", async () => {
    const before = structuredClone({ identity: context.identity, baseCwd: context.baseCwd });
    for (const address of ["todo", "@human/a", "@self/a", "@model/a"]) {
      success(await notesWrite(context, { address, content: address, cwd: "inner" }));
      expect(success(await notesRead(context, { address })).text).toBe(address);
    }
    expect({ identity: context.identity, baseCwd: context.baseCwd }).toEqual(before);
    expect([Object.isFrozen(context), Object.isFrozen(context.identity)]).toEqual([true, true]);
    expect(success(await notesWrite(context, { address: "@project/a", content: "x" })).project_key).toBe(
      "app-0a1b2c3d",
    );
  });

  it("owns the note that a call moves into the session, and none that is there already", async () => {
    const session = (name: string): string =>
      readFileSync(join(identity.home, "pi", "session", "session-1", `${name}.md`), "utf8");
    await notesWrite(context, { address: "@human/a", content: "x" });
    success(await notesUpdate(context, { address: "@human/a", rename_to: "moved", cwd: "inner" }));
    expect(session("moved")).toContain(`project: ${projectKey(join(folder, "base", "inner"))}\n`);

    await notesWrite(context, { address: "old", content: "x" });
    success(await notesWrite(context, { address: "old", content: "y", cwd: "inner" }));
    success(await notesUpdate(context, { address: "old", rename_to: "older", cwd: "inner" }));
    expect(session("older")).toContain("project: app-0a1b2c3d\n");
  });

  it("owns a session's new note, which stays in the session", async () => {
    await notesWrite(context, { address: "todo", content: "x", cwd: "inner" });
    expect(readFileSync(join(identity.home, "pi", "session", "session-1", "todo.md"), "utf8")).toContain(
      `project: ${projectKey(join(folder, "base", "inner"))}\n`,
    );
  });

  it("of two calls at once do not meet", async () => {
    const keys = await Promise.all(
      ["inner", ".", undefined, "inner"].map(
        async (cwd) =>
          success(
            await notesWrite(context, { address: "@project/a", content: "x", ...(cwd === undefined ? {} : { cwd }) }),
          ).project_key,
      ),
    );
    expect(keys).toEqual([
      projectKey(join(folder, "base", "inner")),
      projectKey(join(folder, "base")),
      "app-0a1b2c3d",
      projectKey(join(folder, "base", "inner")),
    ]);
  });

  it.each(["missing", "~", "file", "a\0b", "inner\n"])(
    "refuses %j, which is no existing directory, and changes nothing",
    async (cwd) => {
      writeFileSync(join(folder, "base", "file"), "");
      const answer = await notesWrite(context, { address: "@project/a", content: "x", cwd });
      expect(answer).toMatchObject({
        outcome: { ok: false, error: { code: "invalid_cwd" } },
        text: expect.stringMatching(/^error: invalid_cwd: cwd ".*" is not an existing directory; [^\n]*$/u),
      });
      expect(existsSync(identity.home)).toBe(false);
    },
  );

  it("may come with an identity of any class, whose values are taken once", async () => {
    class Session {
      reads = 0;
      get home(): string {
        this.reads++;
        return identity.home;
      }
      readonly sessionId = "session-1";
      readonly projectKey = "app-0a1b2c3d";
      readonly agent = "pi";
      readonly model = "some-model";
    }
    const session = new Session();
    expect(code(await notesWrite(notesToolContext(session, folder), { address: "a", content: "x" }))).toBe("ok");
    expect(session.reads).toBe(1);
  });

  it("of the context must be absolute", () => {
    expect(() => notesToolContext(identity, "relative")).toThrow(TypeError);
  });
});

describe("notes_read", () => {
  it("delivers the whole body with its metadata where it fits", async () => {
    await notesWrite(context, { address: "@project/a", content: "naïve 😀\n", origin: "user" });
    const answer = await notesRead(context, { address: "@project/a.md" });
    const data = success(answer);
    expect(data).toEqual({
      address: "@project/a.md",
      project_key: "app-0a1b2c3d",
      metadata: { origin: "user", created_at: data.metadata.created_at, updated_at: data.metadata.updated_at },
      text: "naïve 😀\n",
      total_chars: 8,
      next_offset_chars: null,
    });
    expect(answer.text).toBe(
      `@project/a.md\norigin user · created ${data.metadata.created_at} · updated ${data.metadata.updated_at}\n\nnaïve 😀\n`,
    );
    expect(Check(notesReadTool.result, data)).toBe(true);
  });

  it("never tells access counts or times, which the file keeps", async () => {
    await notesWrite(context, { address: "@human/a", content: "x" });
    for (let times = 0; times < 2; times++)
      expect(JSON.stringify(await notesRead(context, { address: "@human/a" }))).not.toMatch(/access/iu);
    for (const answer of [
      notesList(context, {}),
      notesSearch(context, { query: "x" }),
      notesUpdate(context, { address: "@human/a", origin: "user" }),
    ]) {
      const { outcome, text } = await answer;
      expect(JSON.stringify({ outcome, text })).not.toMatch(/access/iu);
    }
    expect(readFileSync(join(identity.home, "human", "a.md"), "utf8")).toMatch(/lastAccessed: .*\naccessCount: 2\n/u);
  });

  it("observes the file as it is at each call, also between the parts of one note", async () => {
    given(["human", "a.md"], "first body");
    const { next_offset_chars: next } = success(await notesRead(context, { address: "@human/a", limit_chars: 6 }));
    given(["human", "a.md"], "other, longer text");
    expect(success(await notesRead(context, { address: "@human/a", offset_chars: next ?? 0 }))).toMatchObject({
      text: " longer text",
      total_chars: 18,
      next_offset_chars: null,
    });
  });

  it.each([{}, { offset_chars: -2 }, { offset_chars: 1, limit_chars: 1 }])(
    "has its text and positions at the root, and does not echo what range was asked for: %j",
    async (range) => {
      await notesWrite(context, { address: "a", content: "abc" });
      expect(Object.keys(success(await notesRead(context, { address: "a", ...range }))).toSorted()).toEqual([
        "address",
        "metadata",
        "next_offset_chars",
        "text",
        "total_chars",
      ]);
    },
  );

  it.each(["@projects/app-0a1b2c3d/a", "@projects/other-11111111/a", "@sessions/session-1/a"])(
    "names no project key for %s, whose address says it or does not start with @project/",
    async (address) => {
      given(["project", "app-0a1b2c3d", "a.md"], "x");
      given(["project", "other-11111111", "a.md"], "x");
      given(["pi", "session", "session-1", "a.md"], "x");
      const data = success(await notesRead(context, { address }));
      expect(data.address).toBe(`${address}.md`);
      expect(data).not.toHaveProperty("project_key");
    },
  );

  it("tells when a note was crumpled, and which project a session's note belongs to", async () => {
    await notesWrite(context, { address: "a", content: "x" });
    expect(success(await notesRead(context, { address: "a" })).metadata).not.toHaveProperty("crumpled_at");
    await notesUpdate(context, { address: "a", crumpled: true });
    expect(success(await notesRead(context, { address: "a" })).metadata).toMatchObject({
      crumpled_at: expect.stringMatching(/Z$/u),
      project: "app-0a1b2c3d",
    });
    await notesWrite(context, { address: "@human/a", content: "x" });
    const { metadata } = success(await notesRead(context, { address: "@human/a" }));
    expect(Object.keys(metadata).toSorted()).toEqual(["created_at", "origin", "updated_at"]);
  });

  it("names a value that unfolds beyond measure in its place", async () => {
    const lines = Array.from({ length: 8 }, (_, level) => {
      const inner = level === 0 ? "x" : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(8).fill(inner).join(", ")}]`;
    });
    given(["human", "a.md"], `---\n${lines.join("\n")}\nm: &m {self: *m}\nplain: 1\n---\nbody`);
    const { metadata, text } = success(await notesRead(context, { address: "@human/a" }));
    expect(metadata.extra).toMatchObject({ a7: "[omitted: too large]", m: "[omitted: too large]", plain: 1 });
    expect(text).toBe("body");
  });

  it.each<[Omit<NotesReadArguments, "address">, string, number | null]>([
    [{ limit_chars: 2 }, "0😀", 2],
    [{ offset_chars: 1, limit_chars: 2 }, "😀2", 3],
    [{ offset_chars: -2 }, "89", null],
    [{ offset_chars: -2, limit_chars: 1 }, "8", 9],
    [{ offset_chars: -99 }, "0😀23456789", null],
    [{ offset_chars: 10 }, "", null],
    [{ offset_chars: 99 }, "", null],
  ])("windows the body by code points: %j", async (range, text, next) => {
    await notesWrite(context, { address: "a", content: "0😀23456789" });
    expect(success(await notesRead(context, { address: "a", ...range }))).toMatchObject({
      text,
      total_chars: 10,
      next_offset_chars: next,
    });
  });

  it("succeeds on an empty body", async () => {
    await notesWrite(context, { address: "a", content: "" });
    expect(success(await notesRead(context, { address: "a" }))).toMatchObject({
      text: "",
      total_chars: 0,
      next_offset_chars: null,
    });
  });

  it.each([
    { limit_chars: 0 },
    { limit_chars: -1 },
    { limit_chars: 1.5 },
    { offset_chars: 0.5 },
    { offset_chars: Number.NaN },
  ])("refuses %j with invalid_range", async (range) => {
    await notesWrite(context, { address: "a", content: "x" });
    expect(code(await notesRead(context, { address: "a", ...range }))).toBe("invalid_range");
  });

  it("tells the note's own frontmatter as extra; what is too large is named in its place and stays in the file", async () => {
    const block = [
      "title: x",
      "tags: [a, b]",
      `big: ${"x".repeat(2000)}`,
      `one: ${"y".repeat(900)}`,
      `two: ${"z".repeat(900)}`,
      `three: ${"w".repeat(900)}`,
      "__proto__: {p: 1}",
    ].join("\n");
    given(["human", "a.md"], `---\n${block}\n---\nbody`);
    const { metadata } = success(await notesRead(context, { address: "@human/a" }));
    expect(metadata.extra).toMatchObject({
      title: "x",
      tags: ["a", "b"],
      big: "[omitted: too large]",
      three: "[omitted: too large]",
      one: "y".repeat(900),
      two: "z".repeat(900),
    });
    expect(Object.keys(metadata.extra ?? {})).toContain("__proto__");
    expect(readFileSync(join(identity.home, "human", "a.md"), "utf8")).toContain("x".repeat(2000));
  });

  it("refuses where the metadata alone overflow, and says what helps", async () => {
    const keys = Array.from({ length: 1500 }, (_, index) => `k${index}:`).join("\n");
    given(["human", "a.md"], `---\n${keys}\nz: ${"x".repeat(1100)}\n---\nbody`);
    const answer = await notesRead(context, { address: "@human/a" });
    expect(answer).toMatchObject({
      outcome: { ok: false, error: { code: "output_too_large" } },
      text: expect.stringContaining("frontmatter"),
    });
  });

  it("refuses rather than deliver an empty window where the decoration leaves no room for one character", async () => {
    await notesWrite(context, { address: "a", content: "xyz" });
    const decorated = notesToolContext(identity, folder, { decorate: (text) => text.padEnd(OUTPUT_BUDGET_BYTES + 1) });
    expect(code(await notesRead(decorated, { address: "a" }))).toBe("output_too_large");
  });

  it("cuts a long body only where both forms would pass 32 KiB, and the windows concatenate to it", async () => {
    const unit = fc.constantFrom("a", "界", '"', "\n", "\u0001", "😀", "\\", "é");
    const decorators = fc.constantFrom<[string, ((text: string) => string) | undefined]>(
      ["none", undefined],
      ["double", (text) => text + text],
      ["above", (text) => `[notes]\n${text}`],
    );
    const bodies = fc
      .tuple(fc.array(unit, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 30_000 }))
      .map(([units, times]) => units.join("").repeat(Math.ceil(times / units.length)));
    await fc.assert(
      fc.asyncProperty(
        bodies,
        decorators,
        fc.option(fc.integer({ min: 4000, max: 50_000 }), { nil: undefined }),
        async (body, [, decorate], limit) => {
          const decorated = notesToolContext(identity, folder, { decorate });
          await notesWrite(context, { address: "a", content: body });
          let joined = "";
          let offset: number | null = 0;
          while (offset !== null) {
            const answer: Answer<NotesReadResult> = await notesRead(decorated, {
              address: "a",
              offset_chars: offset,
              ...(limit === undefined ? {} : { limit_chars: limit }),
            });
            const data = success(answer);
            expect(bytes(JSON.stringify(data))).toBeLessThanOrEqual(OUTPUT_BUDGET_BYTES);
            expect(bytes(answer.text)).toBeLessThanOrEqual(OUTPUT_BUDGET_BYTES);
            expect(answer.text).toContain(data.text);
            expect(answer.text.includes(`[truncated; continue at offset_chars=${data.next_offset_chars}]`)).toBe(
              data.next_offset_chars !== null,
            );
            joined += data.text;
            offset = data.next_offset_chars;
          }
          expect(joined === body).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("fills the budget: one code point more would not have fitted", async () => {
    await notesWrite(context, { address: "a", content: "x".repeat(100_000) });
    const data = success(await notesRead(context, { address: "a" }));
    const next = data.next_offset_chars ?? 0;
    expect(
      bytes(JSON.stringify(data)) + 1 > OUTPUT_BUDGET_BYTES ||
        bytes((await notesRead(context, { address: "a" })).text) + 1 > OUTPUT_BUDGET_BYTES,
    ).toBe(true);
    expect(next).toBe(data.text.length);
  });
});
