import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { type Disk, span } from "../src/index.ts";
import { nodeDisk } from "../src/node.ts";
import { codeOf, moveTimes, worktree } from "./registry-fixture.ts";

describe("a held range", () => {
  it("gives the text that the file holds", async () => {
    const { store, owner, hold } = await worktree({ "a.txt": "alpha beta\n" });
    const handle = await hold("a.txt", "beta");
    const { complete, parts } = await store.use(handle, owner);
    expect(complete).toBe(true);
    expect(parts.map(({ text, spans }) => spans.map(({ start, end }) => text.slice(start, end)))).toEqual([["beta"]]);
  });

  it("must be one of the text, and begin and end between characters (I11)", async () => {
    const { store, owner, root } = await worktree({ "a.txt": "😀\r\n" });
    const { snapshot, text } = await store.capture("a.txt", root);
    const holding = (start: number, end: number) => () =>
      store.hold(owner, [{ snapshot, text, spans: [span(start, end)] }], { complete: true });
    expect(await codeOf(holding(0, 1))).toBe("splits_code_point");
    expect(await codeOf(holding(0, 3))).toBe("splits_crlf");
    expect(await codeOf(holding(0, 5))).toBe("invalid_range");
    expect(() => store.hold(owner, [{ snapshot, text: "other", spans: [] }], { complete: true })).toThrow(TypeError);
  });

  it("counts after a byte order mark", async () => {
    const { store, root } = await worktree({ "a.txt": "\ufeffa\n" });
    const { snapshot, text } = await store.capture("a.txt", root);
    expect(text).toBe("a\n");
    expect(snapshot).toMatchObject({ bom: true, eol: "lf", length: 2 });
  });

  it("is refused to another session and another worktree", async () => {
    const { store, owner, hold } = await worktree({ "a.txt": "x" });
    const handle = await hold("a.txt");
    expect(await codeOf(() => store.use(handle, { ...owner, session: "s2" }))).toBe("foreign_session");
    expect(await codeOf(() => store.use(handle, { ...owner, root: "/elsewhere" }))).toBe("foreign_worktree");
    expect(await codeOf(() => store.pick(handle, { ...owner, session: "s2" }, {}))).toBe("foreign_session");
  });
});

describe("a file that changed", () => {
  it("retires its ranges, though its size and its time of modification are the same", async () => {
    const { store, owner, hold, path, write } = await worktree({ "a.txt": "one" });
    utimesSync(path("a.txt"), 1, 1);
    const handle = await hold("a.txt");
    write("a.txt", "two");
    utimesSync(path("a.txt"), 1, 1);
    expect(await codeOf(() => store.use(handle, owner))).toBe("stale_source");
    expect(store.state(handle)).toBe("retired");
    expect(await codeOf(() => store.use(handle, owner))).toBe("retired_reference");
  });

  it("does not revive them when its bytes come back, and counts on", async () => {
    const { store, owner, hold, write, root } = await worktree({ "a.txt": "one" });
    const handle = await hold("a.txt");
    const first = (await store.capture("a.txt", root)).snapshot.generation;
    write("a.txt", "two");
    expect(await store.observe()).toMatchObject([{ change: "changed" }]);
    write("a.txt", "one");
    expect(await codeOf(() => store.use(handle, owner))).toBe("retired_reference");
    const { snapshot } = await store.capture("a.txt", root);
    expect(snapshot.generation).toBeGreaterThan(first + 1);
    expect(await codeOf(async () => store.use(await hold("a.txt"), owner))).toBe("no refusal");
  });

  it("retires them also where nobody looked between the change and its undoing", async () => {
    const { store, owner, hold, write, path } = await worktree({ "a.txt": "one" });
    const handle = await hold("a.txt");
    moveTimes(path("a.txt"), () => {
      write("a.txt", "two");
      write("a.txt", "one");
    });
    expect(await codeOf(() => store.use(handle, owner))).toBe("stale_source");
  });

  it.each([
    ["a touch", (path: string) => utimesSync(path, 5, 5)],
    [
      "an atomic save of the same bytes",
      (path: string) => {
        writeFileSync(`${path}.tmp`, "one");
        renameSync(`${path}.tmp`, path);
      },
    ],
  ])("cannot be told from one after %s", async (_, change) => {
    const { store, owner, hold, path } = await worktree({ "a.txt": "one" });
    const handle = await hold("a.txt");
    moveTimes(path("a.txt"), () => change(path("a.txt")));
    expect(await codeOf(() => store.use(handle, owner))).toBe("stale_source");
  });

  it("retires only what touches it: an item of another file lives on", async () => {
    const { store, owner, root, write } = await worktree({ "x.txt": "x", "y.txt": "y" });
    const [x, y] = [await store.capture("x.txt", root), await store.capture("y.txt", root)];
    const both = store.hold(
      owner,
      [
        { ...x, spans: [span(0, 1)] },
        { ...y, spans: [span(0, 1)] },
      ],
      {
        complete: false,
        items: [
          { part: 0, span: span(0, 1) },
          { part: 1, span: span(0, 1) },
        ],
      },
    );
    write("x.txt", "changed");
    expect(await codeOf(() => store.use(both, owner))).toBe("stale_source");
    const item = await store.pick(both, owner, { item: 2 });
    expect((await store.use(item, owner)).parts.map(({ text }) => text)).toEqual(["y"]);
    expect(await codeOf(async () => store.use(await store.pick(both, owner, { item: 1 }), owner))).toBe(
      "retired_reference",
    );
  });

  it("is gone, and recreated is another one", async () => {
    const { store, owner, hold, path, write } = await worktree({ "a.txt": "one" });
    const handle = await hold("a.txt");
    unlinkSync(path("a.txt"));
    expect(await codeOf(() => store.use(handle, owner))).toBe("source_missing");
    write("a.txt", "one");
    expect(await codeOf(() => store.use(handle, owner))).toBe("retired_reference");
    const batch = store.batch(owner);
    expect(await codeOf(() => batch.accept({ kind: "splice", target: handle, text: "x" }))).toBe("retired_reference");
  });

  it("is not found again under a name that leads elsewhere, though the bytes are equal", async () => {
    const { store, owner, hold, path, text } = await worktree({ "a.txt": "one", "b.txt": "one" });
    symlinkSync("a.txt", path("link"));
    const handle = await hold("link");
    rmSync(path("link"));
    symlinkSync("b.txt", path("link"));
    const batch = store.batch(owner);
    expect(await codeOf(() => batch.accept({ kind: "splice", target: handle, text: "x" }))).toBe("source_moved");
    expect([text("a.txt"), text("b.txt")]).toEqual(["one", "one"]);
  });

  it("into a folder, a file past the limit, or one without text, has no ranges", async () => {
    const { store, owner, root, hold, path, write } = await worktree(
      { "a.txt": "one", "b.txt": "b", "c.txt": "c" },
      { fileBytes: 8 },
    );
    const [a, b, c] = [await hold("a.txt"), await hold("b.txt"), await hold("c.txt")];
    rmSync(path("a.txt"));
    mkdirSync(path("a.txt"));
    write("b.txt", "123456789");
    write("c.txt", Uint8Array.of(0xe9));
    expect(await codeOf(() => store.use(a, owner))).toBe("wrong_kind");
    expect(await codeOf(() => store.use(b, owner))).toBe("too_large");
    expect(await codeOf(() => store.use(c, owner))).toBe("stale_source");
    expect([a, b, c].map((handle) => store.state(handle))).toEqual(["retired", "retired", "retired"]);
    expect(await codeOf(() => store.capture("a.txt", root))).toBe("wrong_kind");
    expect(await codeOf(() => store.capture("b.txt", root))).toBe("too_large");
    expect(await codeOf(() => store.capture("c.txt", root))).toBe("not_utf8");
    expect(await codeOf(() => store.capture("none.txt", root))).toBe("not_found");
    write("b.txt", "b");
    expect(await codeOf(() => store.use(b, owner))).toBe("retired_reference");
  });

  it("that cannot be read is said to be so, without its path", async () => {
    const denied = Object.assign(new Error("permission denied"), { code: "EACCES" });
    const { store, root } = await worktree({ "a.txt": "x" }, { faults: { read: () => Promise.reject(denied) } });
    expect(await codeOf(() => store.capture("a.txt", root))).toBe("unreadable");
    await expect(store.capture("a.txt", root)).rejects.toThrow("the file cannot be read (EACCES); make it readable");
  });

  it("while it is read is not taken for either", async () => {
    let round = 0;
    const real = nodeDisk();
    const restless: Partial<Disk> = {
      mark: async (name) => {
        const mark = await real.mark(name);
        return mark === "missing" ? mark : { ...mark, stamp: `${round++}` };
      },
    };
    const { store, root } = await worktree({ "a.txt": "x" }, { faults: restless });
    expect(await codeOf(() => store.capture("a.txt", root))).toBe("stale_source");
  });

  it("differs though it decodes to the same text", async () => {
    const { store, root, write } = await worktree({ "a.txt": Uint8Array.of(0x61, 0xe9) });
    expect(await codeOf(() => store.capture("a.txt", root))).toBe("not_utf8");
    write("a.txt", Uint8Array.of(0x61, 0xe8));
    expect(await store.observe(undefined, { trustMarks: false })).toHaveLength(1);
  });
});

describe("a sweep", () => {
  it("opens no file whose marks say that it is as it was, and reads those that changed a moment ago", async () => {
    const real = nodeDisk();
    let reads = 0;
    let isRecent = true;
    const faults: Partial<Disk> = {
      read: (key, signal) => {
        reads++;
        return real.read(key, signal);
      },
      mark: async (name) => {
        const mark = await real.mark(name);
        return mark === "missing" ? mark : { ...mark, recent: isRecent };
      },
    };
    const { store, owner, hold } = await worktree({ "a.txt": "a", "b.txt": "b" }, { faults });
    const handles = [await hold("a.txt"), await hold("b.txt")];
    reads = 0;
    expect(await store.observe()).toEqual([]);
    expect(reads).toBe(2);
    isRecent = false;
    for (const handle of handles) await store.use(handle, owner);
    reads = 0;
    expect(await store.observe()).toEqual([]);
    expect(reads).toBe(0);
    expect(await store.observe(undefined, { trustMarks: false })).toEqual([]);
    expect(reads).toBe(2);
  });

  it("finds what changed, went, came and was swung", async () => {
    const { store, hold, path, write } = await worktree({ "a.txt": "a", "b.txt": "b", "c.txt": "c", "d.txt": "d" });
    symlinkSync("c.txt", path("link"));
    for (const name of ["a.txt", "b.txt", "link", "d.txt"]) await hold(name);
    write("a.txt", "changed");
    rmSync(path("b.txt"));
    rmSync(path("link"));
    symlinkSync("d.txt", path("link"));
    expect((await store.observe()).map(({ change }) => change)).toEqual(["changed", "missing", "moved"]);
    expect(await store.observe()).toEqual([]);
    write("b.txt", "b");
    expect(await store.observe()).toHaveLength(1);
  });
});

describe("names of one file", () => {
  it("lead to one: relative, absolute, a link, a URL, a hard link", async () => {
    const { store, root, path } = await worktree({ "a.txt": "a" });
    symlinkSync("a.txt", path("link"));
    linkSync(path("a.txt"), path("hard"));
    const names = ["a.txt", "./a.txt", path("a.txt"), "link", pathToFileURL(path("a.txt")).href, "hard"];
    const keys = await Promise.all(names.map(async (name) => (await store.capture(name, root)).snapshot.key));
    expect(new Set(keys).size).toBe(1);
  });

  it("part ways when a hard link is replaced", async () => {
    const { store, root, hold, owner, path } = await worktree({ "a.txt": "a" });
    linkSync(path("a.txt"), path("hard"));
    const [a, hard] = [await hold("a.txt"), await hold("hard")];
    writeFileSync(path("new"), "a");
    renameSync(path("new"), path("hard"));
    expect(await codeOf(() => store.use(hard, owner))).toMatch(/^(source_moved|stale_source)$/u);
    expect(await codeOf(() => store.use(a, owner))).toBe("retired_reference");
    expect((await store.capture("hard", root)).snapshot.key).not.toBe(
      (await store.capture("a.txt", root)).snapshot.key,
    );
  });

  it("of a file that is missing is that of its folder with its name", async () => {
    const { store, root, path } = await worktree();
    mkdirSync(path("real"));
    symlinkSync("real", path("linked"));
    expect(await store.locate("linked/new/deep.txt", root)).toMatchObject({
      key: path("real/new/deep.txt"),
      exists: false,
    });
    expect(await codeOf(() => store.capture("file://elsewhere/x", root))).toBe("not_found");
    expect(await codeOf(() => store.capture("x".repeat(5000), root))).toBe("not_found");
  });
});

describe("narrowing", () => {
  it("takes items, captures and lines, and never more than there was (I3)", async () => {
    const { store, owner, root } = await worktree({ "a.txt": "one\ntwo\nthree\n" });
    const { snapshot, text } = await store.capture("a.txt", root);
    const lines = store.hold(owner, [{ snapshot, text, spans: [span(4, 14)] }], {
      complete: false,
      items: [{ part: 0, span: span(4, 7), captures: { first: [span(4, 5)], ends: [span(4, 5), span(6, 7)] } }],
    });
    const taken = async (selection: Parameters<typeof store.pick>[2]): Promise<unknown> => {
      const { parts, complete } = await store.use(await store.pick(lines, owner, selection), owner);
      expect(complete).toBe(true);
      return parts.flatMap((part) => part.spans.map(({ start, end }) => part.text.slice(start, end)));
    };
    expect(await taken({ item: 1 })).toEqual(["two"]);
    expect(await taken({ item: 1, capture: "ends" })).toEqual(["t", "o"]);
    expect(await taken({ item: 1, capture: "ends", nth: 1 })).toEqual(["o"]);
    expect(await taken({ lines: [2, 3] })).toEqual(["two\nthree"]);
    expect(await taken({ item: 1, lines: [2, 2] })).toEqual(["two"]);
    for (const [selection, code] of [
      [{ item: 2 }, "invalid_range"],
      [{ item: 1, capture: "none" }, "invalid_range"],
      [{ item: 1, capture: "constructor" }, "invalid_range"],
      [{ item: 1, capture: "ends", nth: 2 }, "invalid_range"],
      [{ lines: [1, 3] }, "outside_scope"],
      [{ lines: [3, 9] }, "invalid_range"],
      [{ item: 1, lines: [3, 3] }, "outside_scope"],
    ] as const) {
      expect(await codeOf(() => store.pick(lines, owner, selection)), JSON.stringify(selection)).toBe(code);
    }
  });

  it("derives ranges within those of its bases, unless it says that they grow", async () => {
    const { store, owner, root, write } = await worktree({ "a.txt": "abcdef", "b.txt": "b" });
    const captured = await store.capture("a.txt", root);
    const other = await store.capture("b.txt", root);
    const part = (start: number, end: number) => [{ ...captured, spans: [span(start, end)] }];
    const [low, high] = [
      store.hold(owner, part(0, 2), { complete: true }),
      store.hold(owner, part(2, 4), { complete: false }),
    ];
    expect(await codeOf(() => store.derive([low], part(1, 3)))).toBe("outside_scope");
    expect(await codeOf(() => store.derive([low], [{ ...other, spans: [span(0, 1)] }], { grows: true }))).toBe(
      "outside_scope",
    );
    expect((await store.use(store.derive([low, high], part(1, 3)), owner)).complete).toBe(false);
    const grown = store.derive([low], part(0, 6), { grows: true });
    expect((await store.use(grown, owner)).parts[0]?.spans).toEqual([span(0, 6)]);
    write("a.txt", "changed");
    await store.observe();
    const [again] = [await store.capture("a.txt", root)];
    expect(await codeOf(() => store.derive([low], [{ ...again, spans: [span(0, 1)] }], { grows: true }))).toBe(
      "outside_scope",
    );
    expect(store.state(grown)).toBe("retired");
  });
});

describe("whole files", () => {
  it("are made, replaced and removed, all or none", async () => {
    const { store, owner, root, text, path } = await worktree({ "a.txt": "a", "b.txt": "b" });
    chmodSync(path("a.txt"), 0o640);
    const bytes = Buffer.from("new");
    const { files, handles } = await store.save(owner, root, [
      { path: "deep/er/c.txt", to: bytes, expect: "missing", mode: 0o751 },
      { path: "a.txt", to: bytes },
      { path: "b.txt", to: undefined },
    ]);
    expect(files.map(({ effect }) => effect)).toEqual(["applied", "applied", "applied"]);
    expect([text("deep/er/c.txt"), text("a.txt")]).toEqual(["new", "new"]);
    expect(() => text("b.txt")).toThrow("ENOENT");
    expect(handles[2]).toBeUndefined();
    expect((await store.use(handles[1] as never, owner)).parts.map((part) => part.text)).toEqual(["new"]);
    expect(await nodeDisk().mark(path("deep/er/c.txt"))).toMatchObject({ mode: 0o751 });
    expect(await nodeDisk().mark(path("a.txt"))).toMatchObject({ mode: 0o640 });
  });

  it("that hold the same already are left alone, and can be used", async () => {
    const { store, owner, root, puts } = await worktree({ "a.txt": "a" });
    const { files, handles } = await store.save(owner, root, [{ path: "a.txt", to: Buffer.from("a") }]);
    expect(files).toMatchObject([{ effect: "not-applied" }]);
    expect(files[0]).not.toHaveProperty("reason");
    expect(puts.size).toBe(0);
    expect((await store.use(handles[0] as never, owner)).parts).toHaveLength(1);
  });

  it("are refused where they are not as expected", async () => {
    const { store, owner, root, text, write } = await worktree({ "a.txt": "a" });
    const { snapshot } = await store.capture("a.txt", root);
    const to = Buffer.from("x");
    write("a.txt", "foreign");
    expect(await codeOf(() => store.save(owner, root, [{ path: "a.txt", to, expect: snapshot }]))).toBe("stale_source");
    expect(await codeOf(() => store.save(owner, root, [{ path: "a.txt", to, expect: "missing" }]))).toBe(
      "stale_source",
    );
    expect(
      await codeOf(() =>
        store.save(owner, root, [
          { path: "a.txt", to },
          { path: "./a.txt", to },
        ]),
      ),
    ).toBe("overlap");
    expect(await codeOf(() => store.save(owner, root, [{ path: "a.txt", to }], { signal: AbortSignal.abort() }))).toBe(
      "cancelled",
    );
    expect(text("a.txt")).toBe("foreign");
  });

  it("that have no text give no ranges", async () => {
    const { store, owner, root } = await worktree();
    const { files, handles } = await store.save(owner, root, [{ path: "a", to: Uint8Array.of(0xff, 0) }]);
    expect(files).toMatchObject([{ effect: "applied" }]);
    expect(handles).toEqual([undefined]);
  });
});

describe("forgetting", () => {
  it("leaves no handle, no batch and nothing to wait for (I10)", async () => {
    const { store, owner, hold, text } = await worktree({ "a.txt": "a" });
    const handle = await hold("a.txt");
    const batch = store.batch(owner);
    const { result } = await batch.accept({ kind: "splice", target: handle, text: "x" });
    store.clear();
    expect(await codeOf(() => store.use(handle, owner))).toBe("unknown_reference");
    expect(await codeOf(() => store.use(result, owner))).toBe("unknown_reference");
    expect(store.state(handle)).toBe("retired");
    expect(await codeOf(() => batch.commit())).toBe("scope_closed");
    expect(text("a.txt")).toBe("a");
    expect(await store.observe()).toEqual([]);
  });
});
