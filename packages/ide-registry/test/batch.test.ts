import { chmodSync, linkSync, lstatSync, readFileSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Disk, type Edit, type Handle, span } from "../src/index.ts";
import { nodeDisk } from "../src/node.ts";
import { codeOf, moveTimes, type Worktree, worktree } from "./registry-fixture.ts";

const splice = (target: Handle, text: string): Edit => ({ kind: "splice", target, text });

async function positionIn({ store, owner, root }: Worktree, name: string, at: number): Promise<Handle> {
  const captured = await store.capture(name, root);
  return store.hold(owner, [{ ...captured, spans: [span(at, at)] }], { complete: true });
}

async function shown({ store, owner }: Worktree, handle: Handle): Promise<readonly string[]> {
  const { parts } = await store.use(handle, owner);
  return parts.flatMap(({ text, spans }) => spans.map(({ start, end }) => text.slice(start, end)));
}

describe("edits of a batch", () => {
  it("wait for the commit, and are then where they stand for", async () => {
    const tree = await worktree({ "a.txt": "alpha beta\n" });
    const { store, owner, hold, text } = tree;
    const before = await hold("a.txt", "beta");
    const batch = store.batch(owner);
    const { result } = await batch.accept(splice(before, "B"));
    expect([text("a.txt"), store.state(result), batch.owns(result), batch.owns(before)]).toEqual([
      "alpha beta\n",
      "pending",
      true,
      false,
    ]);
    expect(await codeOf(() => store.use(result, owner))).toBe("pending_reference");
    expect(await codeOf(() => store.derive([result], []))).toBe("pending_reference");
    expect(await batch.commit()).toMatchObject({ effect: "applied", edits: [{ state: "live" }] });
    expect(text("a.txt")).toBe("alpha B\n");
    expect([store.state(result), store.state(before)]).toEqual(["live", "retired"]);
    expect(await shown(tree, result)).toEqual(["B"]);
  });

  it("are all meant for the text from before the batch", async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join("");
    const tree = await worktree({ "a.txt": lines });
    const { store, owner, hold, text, puts } = tree;
    const whole = await hold("a.txt");
    const batch = store.batch(owner);
    await batch.accept(splice(await positionIn(tree, "a.txt", 0), "new\n".repeat(10)));
    await batch.accept(splice(await store.pick(whole, owner, { lines: [50, 50] }), "FIFTY"));
    await batch.close("commit");
    expect(text("a.txt")).toBe("new\n".repeat(10) + lines.replace("line 50\n", "FIFTY\n"));
    expect([...puts.values()]).toEqual([1]);
  });

  it("refuse what touches an accepted one, in any order, and leave the batch as it was (I7)", async () => {
    const { store, owner, root, text } = await worktree({ "a.txt": "abcdefgh" });
    const captured = await store.capture("a.txt", root);
    const handle = (start: number, end: number): Handle =>
      store.hold(owner, [{ ...captured, spans: [span(start, end)] }], { complete: true });
    for (const [first, second, code] of [
      [[0, 5], [3, 8], "overlap"],
      [[3, 8], [0, 5], "overlap"],
      [[0, 8], [4, 4], "overlap"],
      [[4, 4], [0, 8], "overlap"],
      [[0, 3], [3, 6], "no refusal"],
      [[3, 3], [3, 3], "no refusal"],
      [[3, 3], [0, 3], "no refusal"],
      [[3, 3], [3, 6], "no refusal"],
    ] as const) {
      const batch = store.batch(owner);
      await batch.accept(splice(handle(first[0], first[1]), "1"));
      expect(
        await codeOf(() => batch.accept(splice(handle(second[0], second[1]), "2"))),
        `${first.join()} ${second.join()}`,
      ).toBe(code);
      expect(batch.waiting).toBe(code === "overlap" ? 1 : 2);
      await batch.close("discard");
    }
    const batch = store.batch(owner);
    for (const inserted of ["1", "2"]) await batch.accept(splice(handle(3, 3), inserted));
    await batch.accept(splice(handle(0, 3), "X"));
    await batch.close("commit");
    expect(text("a.txt")).toBe("X12defgh");
  });

  it("refuse a selection that overlaps itself", async () => {
    const { store, owner, root } = await worktree({ "a.txt": "abcdef" });
    const captured = await store.capture("a.txt", root);
    const twice = store.hold(owner, [{ ...captured, spans: [span(0, 4), span(1, 2)] }], { complete: true });
    expect(await codeOf(() => store.batch(owner).accept(splice(twice, "x")))).toBe("overlap");
  });

  it("through every name of a file, at the same time, come to one write", async () => {
    const tree = await worktree({ "a.txt": Array.from({ length: 20 }, (_, index) => `${index}\n`).join("") });
    const { store, owner, root, path, text, puts } = tree;
    symlinkSync("a.txt", path("link"));
    const names = ["a.txt", "./a.txt", path("a.txt"), "link"];
    const batch = store.batch(owner);
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const captured = await store.capture(names[index % 4] ?? "", root);
        const whole = store.hold(owner, [{ ...captured, spans: [span(0, captured.text.length)] }], { complete: true });
        await batch.accept(splice(await store.pick(whole, owner, { lines: [index + 1, index + 1] }), `new ${index}`));
      }),
    );
    await batch.close("commit");
    expect(text("a.txt")).toBe(Array.from({ length: 20 }, (_, index) => `new ${index}\n`).join(""));
    expect([...puts.values()]).toEqual([1]);
  });

  it("keep a link a link, its mode, and the names of a file together", async () => {
    const tree = await worktree({ "t.txt": "one\ntwo\n", "h.txt": "x" });
    const { store, owner, path, hold, text } = tree;
    // Not what a new file would get.
    chmodSync(path("t.txt"), 0o626);
    symlinkSync("t.txt", path("link"));
    linkSync(path("h.txt"), path("h2.txt"));
    const batch = store.batch(owner);
    await batch.accept(splice(await hold("link", "one"), "1"));
    await batch.accept(splice(await hold("t.txt", "two"), "2"));
    await batch.accept(splice(await positionIn(tree, "h.txt", 0), "<"));
    await batch.accept(splice(await positionIn(tree, "h2.txt", 1), ">"));
    await batch.close("commit");
    expect([text("t.txt"), text("h.txt"), text("h2.txt")]).toEqual(["1\n2\n", "<x>", "<x>"]);
    expect(lstatSync(path("link")).isSymbolicLink()).toBe(true);
    expect(statSync(path("t.txt")).mode & 0o777).toBe(0o626);
    expect(statSync(path("h.txt")).nlink).toBe(2);
  });

  it("keep a byte order mark and fit lone LFs to a file of CRLF alone", async () => {
    const { store, owner, hold, path } = await worktree({
      "a.txt": "\ufeffone\r\ntwo\r\nthree",
      "b.txt": "one\r\ntwo\n",
    });
    const batch = store.batch(owner);
    await batch.accept(splice(await hold("a.txt", "two"), "A\nB"));
    await batch.accept(splice(await hold("b.txt", "two"), "A\nB"));
    await batch.close("commit");
    expect(readFileSync(path("a.txt"), "utf8")).toBe("\ufeffone\r\nA\r\nB\r\nthree");
    expect(readFileSync(path("b.txt"), "utf8")).toBe("one\r\nA\nB\n");
  });

  it("that change nothing write nothing, and retire nothing", async () => {
    const tree = await worktree({ "a.txt": "same" });
    const { store, owner, root, hold, puts } = tree;
    const before = await hold("a.txt");
    const captured = await store.capture("a.txt", root);
    const nothing = store.hold(owner, [{ ...captured, spans: [] }], { complete: true });
    const batch = store.batch(owner);
    const { result } = await batch.accept(splice(before, "same"));
    const none = await batch.accept(splice(nothing, "x"));
    expect(await batch.commit()).toMatchObject({
      effect: "not-applied",
      edits: [{ state: "live" }, { state: "live" }],
    });
    expect(puts.size).toBe(0);
    expect([store.state(before), store.state(result), store.state(none.result)]).toEqual(["live", "live", "live"]);
    expect(await shown(tree, result)).toEqual(["same"]);
    expect(await shown(tree, none.result)).toEqual([]);
  });

  it("refuse what is incomplete, ill-formed, too long, not theirs, or given up", async () => {
    const { store, owner, root, hold } = await worktree({ "a.txt": "abc" }, { fileBytes: 10 });
    const captured = await store.capture("a.txt", root);
    const part = store.hold(owner, [{ ...captured, spans: [span(0, 1)] }], {
      complete: false,
      items: [{ part: 0, span: span(0, 1) }],
    });
    const batch = store.batch(owner);
    const whole = await hold("a.txt");
    const code = (target: Handle, text: string, signal?: AbortSignal): Promise<string> =>
      codeOf(() => batch.accept(splice(target, text), signal));
    expect(await code(part, "x")).toBe("incomplete");
    expect(await code(whole, "\ud800")).toBe("ill_formed_text");
    expect(await code(whole, "12345678901")).toBe("too_large");
    expect(await code(await hold("a.txt", "b"), "123456789")).toBe("too_large");
    expect(await code(whole, "x", AbortSignal.abort())).toBe("cancelled");
    expect(await codeOf(() => store.batch({ ...owner, session: "s2" }).accept(splice(whole, "x")))).toBe(
      "foreign_session",
    );
    expect(batch.waiting).toBe(0);
    expect(await code(await store.pick(part, owner, { item: 1 }), "x")).toBe("no refusal");
  });

  it("refused for a stale file bind nothing: the file read anew can be edited", async () => {
    const { store, owner, hold, write, text } = await worktree({ "a.txt": "abc" });
    const old = await hold("a.txt");
    write("a.txt", "abcd");
    const batch = store.batch(owner);
    expect(await codeOf(() => batch.accept(splice(old, "x")))).toBe("stale_source");
    await batch.accept(splice(await hold("a.txt", "d"), "D"));
    await batch.close("commit");
    expect(text("a.txt")).toBe("abcD");
  });
});

describe("a transfer", () => {
  it("copies and moves text, and stands for where it went", async () => {
    const tree = await worktree({ "a.txt": "one two", "b.txt": "x\r\n" });
    const { store, owner, hold, text } = tree;
    const batch = store.batch(owner);
    const copied = await batch.accept({
      kind: "transfer",
      source: await hold("a.txt", "one"),
      to: await positionIn(tree, "b.txt", 0),
      remove: false,
    });
    const moved = await batch.accept({
      kind: "transfer",
      source: await hold("a.txt", "two"),
      to: await positionIn(tree, "a.txt", 0),
      remove: true,
    });
    await batch.close("commit");
    expect([text("a.txt"), text("b.txt")]).toEqual(["twoone ", "onex\r\n"]);
    expect([await shown(tree, copied.result), await shown(tree, moved.result)]).toEqual([["one"], ["two"]]);
  });

  it("refuses unequal numbers of ranges, and a move into itself", async () => {
    const tree = await worktree({ "a.txt": "abcdef" });
    const { store, owner, root, hold } = tree;
    const captured = await store.capture("a.txt", root);
    const two = store.hold(owner, [{ ...captured, spans: [span(0, 1), span(2, 3)] }], { complete: true });
    const batch = store.batch(owner);
    const to = await positionIn(tree, "a.txt", 3);
    expect(await codeOf(() => batch.accept({ kind: "transfer", source: two, to, remove: false }))).toBe(
      "invalid_range",
    );
    expect(
      await codeOf(async () =>
        batch.accept({ kind: "transfer", source: await hold("a.txt", "bcde"), to, remove: true }),
      ),
    ).toBe("overlap");
  });
});

describe("a commit", () => {
  it("writes none of its files where one changed meanwhile, and keeps the foreign bytes", async () => {
    const { store, owner, hold, text, write, puts } = await worktree({ "a.txt": "a", "b.txt": "b" });
    const batch = store.batch(owner);
    const results = [
      (await batch.accept(splice(await hold("a.txt"), "A"))).result,
      (await batch.accept(splice(await hold("b.txt"), "B"))).result,
    ];
    write("a.txt", "foreign");
    const report = await batch.commit();
    expect(report.effect).toBe("not-applied");
    expect(report.files.map(({ effect, reason }) => [effect, reason?.code])).toEqual([
      ["not-applied", "conflict_on_disk"],
      ["not-applied", "conflict_on_disk"],
    ]);
    expect([text("a.txt"), text("b.txt"), puts.size]).toEqual(["foreign", "b", 0]);
    for (const result of results) {
      expect(store.state(result)).toBe("rejected");
      expect(await codeOf(() => store.use(result, owner))).toBe("rejected_reference");
    }
  });

  it.each([
    [
      "was changed and changed back",
      (path: string, { write }: Worktree) =>
        moveTimes(path, () => {
          write("a.txt", "b");
          write("a.txt", "a");
        }),
    ],
    ["is gone", (path: string) => unlinkSync(path)],
  ])("refuses a file that %s", async (_, change) => {
    const tree = await worktree({ "a.txt": "a" });
    const batch = tree.store.batch(tree.owner);
    await batch.accept(splice(await tree.hold("a.txt"), "A"));
    change(tree.path("a.txt"), tree);
    expect(await batch.close("commit")).toMatchObject({
      effect: "not-applied",
      files: [{ reason: { code: "conflict_on_disk" } }],
    });
  });

  it("gives files back what they held when another cannot be written", async () => {
    const real = nodeDisk();
    const faults: Partial<Disk> = {
      put: (key, ...rest) => (key.endsWith("b.txt") ? Promise.reject(new Error("no space")) : real.put(key, ...rest)),
    };
    const { store, owner, hold, text } = await worktree({ "a.txt": "a", "b.txt": "b" }, { faults });
    const batch = store.batch(owner);
    const { result } = await batch.accept(splice(await hold("a.txt"), "A"));
    await batch.accept(splice(await hold("b.txt"), "B"));
    const report = await batch.commit();
    expect(report).toMatchObject({ effect: "not-applied", edits: [{ state: "rejected" }, { state: "rejected" }] });
    expect(report.files.map(({ effect, reason }) => [effect, reason?.code])).toEqual([
      ["not-applied", "write_failed"],
      ["not-applied", "write_failed"],
    ]);
    expect([text("a.txt"), text("b.txt")]).toEqual(["a", "b"]);
    expect(await codeOf(() => store.use(result, owner))).toBe("rejected_reference");
  });

  it("says that it does not know where what was written cannot be taken back", async () => {
    const real = nodeDisk();
    let puts = 0;
    const faults: Partial<Disk> = {
      put: (key, ...rest) => (++puts > 1 ? Promise.reject(new Error("no space")) : real.put(key, ...rest)),
    };
    const { store, owner, hold } = await worktree({ "a.txt": "a", "b.txt": "b" }, { faults });
    const batch = store.batch(owner);
    await batch.accept(splice(await hold("a.txt"), "A"));
    await batch.accept(splice(await hold("b.txt"), "B"));
    const report = await batch.commit();
    expect(report.effect).toBe("unknown");
    expect(report.files.map(({ effect }) => effect)).toEqual(["unknown", "not-applied"]);
  });

  it("takes back a write that was done and reported as failed", async () => {
    const real = nodeDisk();
    let puts = 0;
    const faults: Partial<Disk> = {
      put: async (key, ...rest) => {
        await real.put(key, ...rest);
        if (++puts === 1) throw new Error("lost connection");
      },
    };
    const { store, owner, hold, text } = await worktree({ "a.txt": "a" }, { faults });
    const batch = store.batch(owner);
    await batch.accept(splice(await hold("a.txt"), "A"));
    expect(await batch.commit()).toMatchObject({ effect: "not-applied" });
    expect(text("a.txt")).toBe("a");
  });

  it("notices who writes right after it", async () => {
    const real = nodeDisk();
    let root = "";
    const faults: Partial<Disk> = {
      put: async (key, ...rest) => {
        await real.put(key, ...rest);
        const { writeFileSync } = await import("node:fs");
        writeFileSync(key, `foreign in ${root}`);
      },
    };
    const { store, owner, hold, ...tree } = await worktree({ "a.txt": "a" }, { faults });
    root = tree.root;
    const batch = store.batch(owner);
    await batch.accept(splice(await hold("a.txt"), "A"));
    expect(await batch.commit()).toMatchObject({ effect: "unknown", edits: [{ state: "rejected" }] });
  });

  it("goes on with the files as they are", async () => {
    const tree = await worktree({ "a.txt": "a" });
    const { store, owner, hold, text } = tree;
    const batch = store.batch(owner);
    const { result } = await batch.accept(splice(await hold("a.txt"), "A"));
    await batch.commit();
    await batch.accept(splice(result, "AA"));
    await batch.close("commit");
    expect(text("a.txt")).toBe("AA");
  });

  it("keeps a batch that was saved when the next is discarded", async () => {
    const tree = await worktree({ "a.txt": "a" });
    const { store, owner, hold, text } = tree;
    const batch = store.batch(owner);
    await batch.accept(splice(await hold("a.txt"), "A"));
    await batch.commit();
    const { result } = await batch.accept(splice(await hold("a.txt"), "B"));
    expect(await batch.close("discard", "the user stopped the script")).toMatchObject({
      files: [{ effect: "not-applied" }],
      edits: [{ state: "rejected" }],
    });
    expect(text("a.txt")).toBe("A");
    expect(() => store.derive([result], [])).toThrow(
      expect.objectContaining({ code: "rejected_reference", message: expect.stringContaining("the user stopped") }),
    );
  });

  it("is not made by a batch that has ended (I16)", async () => {
    const { store, owner, hold, text, puts } = await worktree({ "a.txt": "a" });
    const batch = store.batch(owner);
    const handle = await hold("a.txt");
    // An edit that is under way when the end is asked for still belongs to the batch.
    const [accepted] = await Promise.all([batch.accept(splice(handle, "A")), batch.close("commit")]);
    expect([text("a.txt"), store.state(accepted.result), batch.state]).toEqual(["A", "live", "closed"]);
    expect(await codeOf(async () => batch.accept(splice(await hold("a.txt"), "B")))).toBe("scope_closed");
    expect(await codeOf(() => batch.commit())).toBe("scope_closed");
    expect(await batch.close("commit")).toEqual({ effect: "not-applied", files: [], edits: [] });
    expect([...puts.values()]).toEqual([1]);
  });

  it("that is cancelled writes nothing", async () => {
    const { store, owner, hold, text } = await worktree({ "a.txt": "a" });
    const batch = store.batch(owner);
    await batch.accept(splice(await hold("a.txt"), "A"));
    expect(await batch.commit(AbortSignal.abort())).toMatchObject({
      edits: [{ state: "rejected" }],
      files: [{ reason: { code: "cancelled" } }],
    });
    expect(text("a.txt")).toBe("a");
  });
});

describe("a batch that keeps its base", () => {
  it("saves each edit at once, and comes to the same bytes as one commit of them all", async () => {
    const start = "one\ntwo\nthree\nfour\n";
    const edits = [
      { at: [8, 8], text: "inserted\n" },
      { at: [0, 3], text: "a longer one" },
      { at: [8, 13], text: "3" },
      { at: [8, 8], text: "again\n" },
      { at: [14, 18], text: "" },
    ] as const;
    const run = async (keepsBase: boolean): Promise<string> => {
      const { store, owner, root, text, puts } = await worktree({ "a.txt": start });
      const captured = await store.capture("a.txt", root);
      const batch = store.batch(owner, { keepsBase });
      for (const { at, text: put } of edits) {
        await batch.accept(
          splice(store.hold(owner, [{ ...captured, spans: [span(at[0], at[1])] }], { complete: true }), put),
        );
        if (keepsBase) expect(await batch.commit()).toMatchObject({ effect: "applied", edits: [{ state: "live" }] });
      }
      await batch.close("commit");
      expect([...puts.values()]).toEqual([keepsBase ? edits.length : 1]);
      return text("a.txt");
    };
    expect(await run(true)).toBe(await run(false));
  });

  it("refuses what touches a saved edit, and a file that others changed", async () => {
    const { store, owner, root, text, write } = await worktree({ "a.txt": "abcdef" });
    const captured = await store.capture("a.txt", root);
    const handle = (start: number, end: number): Handle =>
      store.hold(owner, [{ ...captured, spans: [span(start, end)] }], { complete: true });
    const batch = store.batch(owner, { keepsBase: true });
    const parts = [handle(0, 2), handle(4, 6), handle(1, 5)] as const;
    const { result } = await batch.accept(splice(parts[0], "AB"));
    await batch.commit();
    await batch.accept(splice(parts[1], "EF"));
    await batch.commit();
    expect(await codeOf(() => batch.accept(splice(parts[2], "x")))).toBe("overlap");
    expect(await codeOf(() => batch.accept(splice(result, "x")))).toBe("retired_reference");
    expect(text("a.txt")).toBe("ABcdEF");
    write("a.txt", "foreign");
    const late = handle(2, 3);
    await batch.accept(splice(late, "C"));
    expect(await batch.commit()).toMatchObject({ files: [{ reason: { code: "conflict_on_disk" } }] });
    expect(await codeOf(() => batch.accept(splice(late, "C")))).toBe("conflict_on_disk");
    expect(text("a.txt")).toBe("foreign");
  });
});
