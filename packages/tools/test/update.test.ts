import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectKey } from "@notesoup/notes";
import { notesUpdateTool, OUTPUT_BUDGET_BYTES, resultOf, type NotesUpdateArguments } from "@notesoup/protocol";
import { Check } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { notesRead, notesUpdate, notesWrite } from "../src/index.ts";
import { bytes, code, notesFixture, type NotesFixture, success } from "./notes-fixture.ts";

let notes: NotesFixture;
beforeEach(async () => {
  notes = await notesFixture();
});

const write = async (address: string, content: string): Promise<void> => {
  success(await notesWrite(notes.context, { address, content }));
};
const bodyOf = async (address: string): Promise<string> => success(await notesRead(notes.context, { address })).text;

describe("notes_update", () => {
  it("answers with a receipt, structured and in one line, and tells the host what has changed", async () => {
    await write("@project/a", "one two two\n");
    const edits = [
      { old_text: "one", new_text: "1" },
      { old_text: "1 two", new_text: "12" },
    ];
    const answer = await notesUpdate(notes.context, { address: "@project/a", edits });
    const data = success(answer);
    expect(data).toEqual({
      address: "@project/a.md",
      project_key: "app-0a1b2c3d",
      applied: 2,
      change: "body",
      crumpled: false,
      updated_at: data.updated_at,
    });
    expect(answer.text).toBe("updated @project/a.md · 2 edits");
    expect(answer.change).toEqual({ before: "one two two\n", after: "12 two\n" });
    expect(Check(notesUpdateTool.result, resultOf(answer.outcome))).toBe(true);
  });

  it("has neither texts nor a diff in its receipt, however much was changed", async () => {
    const body = "a secret line\n".repeat(500);
    await write("a", body);
    const edits = [{ old_text: "secret", new_text: "public" }];
    const answer = await notesUpdate(notes.context, { address: "a", edits, replace_all: true, origin: "user" });
    expect(answer.text).toBe("updated a.md · 500 edits");
    expect(JSON.stringify(resultOf(answer.outcome))).not.toMatch(/secret|public/u);
    expect(answer.change?.after).toContain(body.replaceAll("secret", "public"));
  });

  it("replaces every match where that is asked, and counts replacements", async () => {
    await write("a", "x x x");
    const edits = [{ old_text: "x", new_text: "y" }];
    expect(success(await notesUpdate(notes.context, { address: "a", edits, replace_all: true })).applied).toBe(3);
    expect(await bodyOf("a")).toBe("y y y");
  });

  it("names source and destination of a move, the project by the destination", async () => {
    await write("@self/b", "x");
    const answer = await notesUpdate(notes.context, { address: "@agents/pi/b", rename_to: "@project/a" });
    expect(success(answer)).toMatchObject({
      address: "@project/a.md",
      project_key: "app-0a1b2c3d",
      change: "metadata",
      rename_from: "@self/b.md",
    });
    expect(success(answer)).not.toHaveProperty("replaced_crumpled_target");
    expect(success(answer)).not.toHaveProperty("rename_to");
    expect(answer.text).toBe("updated @project/a.md · renamed from @self/b.md");
    const back = success(
      await notesUpdate(notes.context, { address: "@project/a.md", rename_to: "@models/some-model/c" }),
    );
    expect(back).toMatchObject({ address: "@model/c.md", rename_from: "@project/a.md" });
    expect(back).not.toHaveProperty("project_key");
  });

  it.each(["@model/cafe\u0301", "@models/some-model/café.md"])(
    "names the source %j as it is listed",
    async (address) => {
      await write("@model/café", "x");
      expect(success(await notesUpdate(notes.context, { address, rename_to: "b" })).rename_from).toBe("@model/café.md");
    },
  );

  it("is no move where the destination is the note itself", async () => {
    await write("a", "x");
    const answer = await notesUpdate(notes.context, { address: "a", rename_to: "a.md" });
    expect(success(answer)).toMatchObject({ change: "none" });
    expect(success(answer)).not.toHaveProperty("rename_from");
    expect(answer).not.toHaveProperty("change");
    expect(answer.text).toBe("unchanged a.md");
  });

  it("says that it replaced a crumpled note", async () => {
    await write("a", "old");
    await notesUpdate(notes.context, { address: "a", crumpled: true });
    await write("b", "new");
    const answer = await notesUpdate(notes.context, { address: "b", rename_to: "a" });
    expect(success(answer)).toMatchObject({ replaced_crumpled_target: true, crumpled: false });
    expect(answer.text).toBe("updated a.md · renamed from b.md · replaced a crumpled note");
  });

  it("tells whether the note is crumpled afterwards, whatever was asked", async () => {
    await write("a", "x");
    const steps: [Omit<NotesUpdateArguments, "address">, boolean, string][] = [
      [{ crumpled: true }, true, "updated a.md · metadata · crumpled"],
      [{ crumpled: true }, true, "unchanged a.md · crumpled"],
      [{ edits: [{ old_text: "x", new_text: "y" }] }, true, "updated a.md · 1 edit · crumpled"],
      [{ crumpled: false }, false, "updated a.md · metadata · not crumpled"],
      [{ edits: [{ old_text: "y", new_text: "y" }] }, false, "unchanged a.md · 1 edit without effect"],
    ];
    for (const [args, crumpled, text] of steps) {
      const answer = await notesUpdate(notes.context, { address: "a", ...args });
      expect([success(answer).crumpled, answer.text]).toEqual([crumpled, text]);
    }
  });

  it("passes the origin on", async () => {
    await write("a", "x");
    expect(success(await notesUpdate(notes.context, { address: "a", origin: "user" })).change).toBe("metadata");
    expect(success(await notesRead(notes.context, { address: "a" })).metadata.origin).toBe("user");
  });

  it("resolves both addresses in the project of the call's cwd", async () => {
    const cwd = "inner";
    const inner = projectKey(join(notes.folder, "base", "inner"));
    success(await notesWrite(notes.context, { address: "@project/b", content: "x", cwd }));
    const moved = success(await notesUpdate(notes.context, { address: "@project/b", rename_to: "@project/a", cwd }));
    expect(moved.project_key).toBe(inner);
    expect(readFileSync(join(notes.identity.home, "project", inner, "a.md"), "utf8")).toContain("x");
  });
});

describe("a refused update", () => {
  it.each<[string, Omit<NotesUpdateArguments, "address">]>([
    ["no_match", { edits: [{ old_text: "z", new_text: "" }] }],
    ["ambiguous_match", { edits: [{ old_text: "a", new_text: "" }] }],
    ["empty_edit", { edits: [{ old_text: "", new_text: "z" }] }],
    ["nothing_to_do", {}],
    ["nothing_to_do", { edits: [] }],
    ["already_exists", { rename_to: "other" }],
    ["read_only", { rename_to: "@sessions/session-1/a" }],
    ["invalid_address", { rename_to: "../a" }],
    ["invalid_cwd", { cwd: "missing", crumpled: true }],
  ])("is %s in one line, and changes nothing", async (expected, args) => {
    await write("a", "a\na\n");
    await write("other", "x");
    const answer = await notesUpdate(notes.context, { address: "a", ...args });
    expect(code(answer)).toBe(expected);
    expect(answer.text).toMatch(new RegExp(`^error: ${expected}: [^\\n]+$`, "u"));
    expect(answer).not.toHaveProperty("change");
    expect(await bodyOf("a")).toBe("a\na\n");
  });

  it("names the edit and every line on which it matches", async () => {
    await write("a", "b\na\na\n");
    const edits = [
      { old_text: "b\n", new_text: "" },
      { old_text: "a", new_text: "" },
    ];
    expect((await notesUpdate(notes.context, { address: "a", edits })).text).toMatch(/edit 1 .* lines 1, 2/u);
  });

  it("of a missing note is not_found", async () => {
    expect(code(await notesUpdate(notes.context, { address: "none", crumpled: true }))).toBe("not_found");
  });

  it("is coded for wrong types too, which a host that does not check its arguments lets through", async () => {
    await write("a", "x");
    const wrong: [string, unknown][] = [
      ["address", 5],
      ["edits", "x"],
      ["edits", null],
      ["edits", [null]],
      ["edits", [5]],
      ["edits", [{ old_text: "x" }]],
      ["edits", [{ old_text: ["x"], new_text: "y" }]],
      ["replace_all", "false"],
      ["crumpled", "false"],
      ["origin", "robot"],
      ["rename_to", null],
    ];
    const codes: [string, string][] = [];
    for (const [name, value] of wrong) {
      const edits = [{ old_text: "x", new_text: "y" }];
      const args = { address: "a", edits, [name]: value } as NotesUpdateArguments;
      codes.push([name, code(await notesUpdate(notes.context, args))]);
    }
    expect(codes).toEqual(
      wrong.map(([name]) => [name, ["address", "rename_to"].includes(name) ? "invalid_address" : "invalid_text"]),
    );
    expect(await bodyOf("a")).toBe("x");
  });

  it("comes before anything is changed where the decorated receipt could not be delivered", async () => {
    await write("a", "x");
    const context = notes.decorated((text) => text.padEnd(OUTPUT_BUDGET_BYTES + 1));
    expect(code(await notesUpdate(context, { address: "a", rename_to: "b" }))).toBe("output_too_large");
    expect(await bodyOf("a")).toBe("x");
  });
});

describe("the receipt of an update", () => {
  it("of two long addresses whose every letter JSON escapes is delivered", async () => {
    const [from, to] = ["a", "b"].map((end) => `@project/${Array(12).fill('"'.repeat(250)).join("/")}/${end}`);
    await write(from ?? "", "x");
    const answer = await notesUpdate(notes.context, { address: from ?? "", rename_to: to ?? "" });
    expect(code(answer)).toBe("ok");
    expect(bytes(JSON.stringify(success(answer)))).toBeGreaterThan(12_000);
  });

  it("is never longer than the one that was asked about before", async () => {
    const seen: number[] = [];
    const context = notes.decorated((text) => {
      seen.push(bytes(text));
      return text;
    });
    const calls: Omit<NotesUpdateArguments, "address">[] = [
      { edits: [{ old_text: "x", new_text: "x" }] },
      { edits: [{ old_text: "x", new_text: "x" }], origin: "user" },
      { edits: [{ old_text: "x", new_text: "y" }], crumpled: true, rename_to: "b" },
      { edits: [{ old_text: "x", new_text: "y" }] },
      { crumpled: false, origin: "external" },
      { crumpled: true },
      { crumpled: true, rename_to: "a" },
    ];
    for (const args of calls) {
      await write("a", "x");
      await write("b", "x");
      await notesUpdate(notes.context, { address: "b", crumpled: true });
      seen.length = 0;
      expect(code(await notesUpdate(context, { address: "a", ...args }))).toBe("ok");
      expect(seen).toHaveLength(2);
      expect(seen[1]).toBeLessThanOrEqual(seen[0] ?? 0);
    }
  });
});
