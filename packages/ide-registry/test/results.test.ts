import { randomUUID } from "node:crypto";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelLine, openRegistry, parseReference, type ResultId } from "../src/index.ts";
import { nodeDisk } from "../src/node.ts";
import { codeOf, worktree } from "./registry-fixture.ts";

describe("a reference", () => {
  const id = randomUUID();

  it.each([
    ["", undefined],
    ["#3", { item: 3 }],
    ["#3.NAME", { item: 3, capture: "NAME" }],
    ["#3.NAME[0]", { item: 3, capture: "NAME", nth: 0 }],
    ["@12", { lines: [12, 12] }],
    ["@12-20", { lines: [12, 20] }],
    ["#3@12-20", { item: 3, lines: [12, 20] }],
  ])("is written UUID%s", (ending, selection) => {
    expect(parseReference(`${id}${ending}`)).toEqual(selection === undefined ? { id } : { id, selection });
  });

  it.each(["#", "#0", "#x", "@", "@0", "@1-", "#1.", "#1.a[", "#1 ", "@1@2", `@${"1".repeat(300)}`])(
    "that goes on with %j is malformed, and no path",
    async (ending) => {
      expect(parseReference(`${id}${ending}`)).toBe("malformed");
      const { results, owner } = await worktree();
      expect(await codeOf(() => results.resolve(`${id}${ending}`, owner))).toBe("unknown_reference");
    },
  );

  it.each([`${id}.txt`, `./${id}`, `x${id}`, "notes.txt", ""])("%s is none", (path) => {
    expect(parseReference(path)).toBeUndefined();
  });
});

describe("resolving", () => {
  it("takes the whole answer, the id alone, and the id with a selection", async () => {
    const { results, owner, hold, issue } = await worktree({ "a.txt": "one\ntwo\n" });
    const handle = await hold("a.txt");
    const { id, text } = issue("one\ntwo\n", handle);
    expect(results.resolve(text, owner)).toEqual({ as: "source", id, handle });
    expect(results.resolve(id, owner)).toEqual({ as: "source", id, handle });
    expect(results.resolve(`${id}#2@1`, owner)).toEqual({
      as: "source",
      id,
      handle,
      selection: { item: 2, lines: [1, 1] },
    });
  });

  it("takes nothing that differs from it in one unit (I4)", async () => {
    const { results, owner, hold, issue } = await worktree({ "a.txt": "one\ufffd😀\n" });
    const { id, text } = issue("one\ufffd😀\n", await hold("a.txt"));
    for (let at = 0; at < text.length; at++) {
      for (const unit of [text.charCodeAt(at) ^ 1, text.charCodeAt(at) ^ 0x20, 0xd800, 0xfffd]) {
        if (unit === text.charCodeAt(at)) continue;
        const flipped = `${text.slice(0, at)}${String.fromCharCode(unit)}${text.slice(at + 1)}`;
        expect(() => results.resolve(flipped, owner), flipped).toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^(altered_result|unknown_reference)$/u) }),
        );
      }
    }
    for (let at = 0; at < id.length; at++) {
      const flipped = `${id.slice(0, at)}${id[at] === "0" ? "1" : "0"}${id.slice(at + 1)}`;
      if (flipped !== id && parseReference(flipped) !== undefined) {
        expect(() => results.resolve(flipped, owner)).toThrow(expect.objectContaining({ code: "unknown_reference" }));
      }
    }
    expect(await codeOf(() => results.resolve(id.toUpperCase(), owner))).toBe("unknown_reference");
    for (const cut of [text.slice(0, -1), `${text}\n`, text.slice(0, text.indexOf("\n")), ` ${text}`]) {
      expect(await codeOf(() => results.resolve(cut, owner)), cut).toBe("altered_result");
    }
  });

  it("knows no id that was not issued, even where a file has that name, or a digest could be guessed", async () => {
    const { results, owner, hold, issue, path } = await worktree({ "a.txt": "x" });
    const never = randomUUID();
    writeFileSync(path(never), "x");
    expect(await codeOf(() => results.resolve(never, owner))).toBe("unknown_reference");
    expect(results.resolve(`./${never}`, owner)).toEqual({ as: "path", path: `./${never}` });
    const { id } = issue("x", await hold("a.txt"));
    const guessed = createHash("sha256")
      .update("x")
      .digest("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, "$1-$2-$3-$4-$5");
    expect(await codeOf(() => results.resolve(guessed, owner))).toBe("unknown_reference");
    const neighbour = id.slice(0, -1) + (Number.parseInt(id.slice(-1), 16) ^ 1).toString(16);
    expect(await codeOf(() => results.resolve(neighbour, owner))).toBe("unknown_reference");
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  });

  it("looks for an id in the first line alone", async () => {
    const { results, owner, hold, issue } = await worktree({ "a.txt": "x" });
    const inner = issue("x", await hold("a.txt"));
    const outer = issue(inner.text, await hold("a.txt"));
    expect(results.resolve(outer.text, owner)).toMatchObject({ id: outer.id });
    expect(results.resolve(`text\n${inner.text}`, owner)).toEqual({ as: "path", path: `text\n${inner.text}` });
  });

  it("leaves a path as it is, save for a leading @", async () => {
    const { results, owner } = await worktree();
    expect(results.resolve("@src/a.ts", owner)).toEqual({ as: "path", path: "src/a.ts" });
    expect(results.resolve("a@b", owner)).toEqual({ as: "path", path: "a@b" });
    expect(await codeOf(() => results.resolve("a\ud800", owner))).toBe("ill_formed_text");
  });

  it("refuses another session, and another worktree (I13)", async () => {
    const { results, owner, hold, issue } = await worktree({ "a.txt": "x" });
    const { id, text } = issue("x", await hold("a.txt"));
    for (const input of [id, text]) {
      expect(await codeOf(() => results.resolve(input, { ...owner, session: "s2" }))).toBe("foreign_session");
      expect(await codeOf(() => results.resolve(input, { ...owner, root: `${owner.root}/linked` }))).toBe(
        "foreign_worktree",
      );
    }
    const other = openRegistry(nodeDisk());
    expect(await codeOf(() => other.results.resolve(id, owner))).toBe("unknown_reference");
  });

  it("refuses what names nothing to work on", async () => {
    const { results, owner } = await worktree();
    const label = (id: ResultId): string => labelLine(id, {});
    const failed = results.issue({ owner, kind: "error", body: "", ok: false, resource: "a", label });
    const receipt = results.issue({ owner, kind: "delete", body: "", ok: true, label });
    expect(await codeOf(() => results.resolve(failed.id, owner))).toBe("not_consumable");
    expect(await codeOf(() => results.resolve(receipt.text, owner))).toBe("not_consumable");
    const image = results.issue({ owner, kind: "image", body: "", ok: true, resource: "a.png", label });
    expect(results.resolve(image.id, owner)).toEqual({
      as: "resource",
      id: image.id,
      kind: "image",
      resource: "a.png",
    });
    expect(await codeOf(() => results.resolve(`${image.id}#1`, owner))).toBe("wrong_kind");
  });

  it("ends soon, whatever comes in (I12)", async () => {
    const { results, owner } = await worktree();
    // Were one of these quadratic, it would take minutes.
    for (const hostile of [
      "<".repeat(1_000_000),
      `${randomUUID()}${"#".repeat(100_000)}`,
      `<system-result id="${"a".repeat(1_000_000)}`,
      '<system-result id="'.repeat(50_000),
      `${"\n".repeat(500_000)}<system-result`,
    ]) {
      await codeOf(() => results.resolve(hostile, owner));
      expect(results.containsLabel(hostile)).toBeUndefined();
    }
  });

  it("touches no file (I12)", async () => {
    const untouchable = (): never => {
      throw new Error("a file was touched");
    };
    const { results } = openRegistry({
      locate: untouchable,
      mark: untouchable,
      read: untouchable,
      put: untouchable,
      drop: untouchable,
      exclusive: untouchable,
      digest: (data) => nodeDisk().digest(data),
    });
    const owner = { session: "s", root: "/r" };
    const { id, text } = results.issue({
      owner,
      kind: "k",
      body: "b",
      ok: true,
      resource: "r",
      label: (one) => labelLine(one, {}),
    });
    expect([
      results.resolve(id, owner),
      results.resolve(text, owner),
      results.resolve("/etc/passwd", owner),
    ]).toHaveLength(3);
  });
});

describe("issuing", () => {
  it("lets the oldest go where there are too many, and remembers that it was there (I14)", async () => {
    const { results, owner, hold, issue } = await worktree({ "a.txt": "x" }, { references: 3 });
    const handle = await hold("a.txt");
    const ids = Array.from({ length: 4 }, () => issue("x", handle).id);
    expect(results.size).toBe(3);
    expect(() => results.resolve(ids[0] ?? "", owner)).toThrow(
      expect.objectContaining({ code: "retired_reference", message: expect.stringContaining("expired") }),
    );
    expect(results.resolve(ids[1] ?? "", owner)).toMatchObject({ as: "source" });
    for (let more = 0; more < 4; more++) issue("x", handle);
    // The memory of expired ones is bounded as well.
    expect(await codeOf(() => results.resolve(ids[0] ?? "", owner))).toBe("unknown_reference");
  });

  it("forgets everything at once (I10)", async () => {
    const { results, owner, hold, issue } = await worktree({ "a.txt": "x" }, { references: 1 });
    const handle = await hold("a.txt");
    const ids = [issue("x", handle).id, issue("x", handle).id];
    results.clear();
    expect(results.size).toBe(0);
    for (const id of ids) expect(await codeOf(() => results.resolve(id, owner))).toBe("unknown_reference");
  });

  it("keeps a label on one line and whole, whatever a file is called", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const id = randomUUID();
        const line = labelLine(id as ResultId, { src: `${name}"><\n\u2028\u202e` });
        expect(line.split(/[\n\r\u2028\u2029]/u)).toHaveLength(1);
        expect(line.match(/</gu)).toHaveLength(2);
        expect(line.match(/"/gu)).toHaveLength(4);
        expect(line.isWellFormed()).toBe(true);
      }),
    );
  });

  it("refuses a body with half a character (I11), and a label that is none", async () => {
    const { results, owner, issue } = await worktree();
    expect(await codeOf(() => issue("a\ud83d"))).toBe("ill_formed_text");
    for (const label of [() => "label", (id: ResultId) => `${labelLine(id, {})}\n`]) {
      expect(() => results.issue({ owner, kind: "k", body: "", ok: true, label })).toThrow(TypeError);
    }
  });

  it("is sealed once, with the text that was delivered, before its first use", async () => {
    const { results, owner, hold, issue } = await worktree({ "a.txt": "x" });
    const handle = await hold("a.txt");
    const { id, text } = issue("x", handle);
    const delivered = `${text} [checked by another]`;
    results.seal(id, delivered);
    expect(await codeOf(() => results.resolve(text, owner))).toBe("altered_result");
    expect(results.resolve(delivered, owner)).toMatchObject({ id });
    expect(() => results.seal(id, text)).toThrow("sealed once");
    const used = issue("x", handle);
    results.resolve(used.id, owner);
    expect(() => results.seal(used.id, "y")).toThrow("sealed once");
  });
});

describe("a text to write", () => {
  it("is told apart where it holds the label of an issued result", async () => {
    const { results, hold, issue } = await worktree({ "a.txt": "x" });
    const { id, text } = issue("x", await hold("a.txt"));
    expect(results.containsLabel(`// before\n${text}\nafter`)).toBe(id);
    expect(results.containsLabel(`see ${id}`)).toBeUndefined();
    expect(results.containsLabel(labelLine(randomUUID() as ResultId, {}))).toBeUndefined();
  });
});
