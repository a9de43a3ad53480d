import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "@notesoup/testing";
import {
  type CommitReport,
  type EditBatch,
  type Handle,
  type HandleState,
  Refusal,
  span,
  type Span,
} from "../src/index.ts";
import { openWorktree, type Worktree } from "./registry-fixture.ts";

const FILES = ["a", "b", "c"] as const;
const NAMES = [...FILES, "link", "hard"] as const;

/** Texts with everything that a range must not split, and few enough to come back. */
const anyText = fc.constantFrom("", "one\ntwo\n", "two\none\n", "😀\r\né\r\n", "\ufeffx\ny", "one\ntwo\r\nthree");
const anyPut = fc.constantFrom("", "X", "new\nlines\n", "😀");
const name = fc.constantFrom(...NAMES);
const pick = fc.nat(30);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("capture" as const), name, from: pick, to: pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("edit" as const), handle: pick, text: anyPut }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("transfer" as const), handle: pick, to: pick, remove: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("use" as const), handle: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("derive" as const),
      handle: pick,
      from: pick,
      to: pick,
      lines: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("write" as const), name, text: anyText }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restore" as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("touch" as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("relink" as const), to: fc.constantFrom(...FILES), hard: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("commit" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom("commit" as const, "discard" as const),
      keepsBase: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("observe" as const), trustMarks: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("clear" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A handle, and what its files held when it was made. */
interface Known {
  readonly handle: Handle;
  readonly bytes: ReadonlyMap<string, string>;
  state: HandleState;
}

/** An accepted edit, by what the file held when the batch took it up. */
interface Waiting {
  readonly result: Handle;
  readonly pieces: readonly {
    readonly key: string;
    readonly at: Span;
    readonly text: string;
    readonly isResult: boolean;
  }[];
}

const ORDER: Readonly<Record<HandleState, readonly HandleState[]>> = {
  pending: ["pending", "live", "rejected", "retired"],
  live: ["live", "retired"],
  retired: ["retired"],
  rejected: ["rejected", "retired"],
};

/** What the files of the worktree hold and what was done with them, kept apart from the store. */
class Model {
  readonly tree: Worktree;
  readonly known: Known[] = [];
  readonly generations = new Map<string, { generation: number; stamp: string }>();
  batch: EditBatch;
  keepsBase = false;
  waiting: Waiting[] = [];
  /** What each file held when the batch took it up. */
  bases = new Map<string, string>();
  saved: Waiting[] = [];

  constructor(tree: Worktree, keepsBase: boolean) {
    this.tree = tree;
    this.keepsBase = keepsBase;
    this.batch = tree.store.batch(tree.owner, { keepsBase });
  }

  bytes(key: string): string | undefined {
    return existsSync(key) && statSync(key).isFile() ? readFileSync(key, "latin1") : undefined;
  }

  remember(handle: Handle, keys: Iterable<string>): void {
    const bytes = new Map([...keys].map((key) => [key, this.bytes(key) ?? ""]));
    this.known.push({ handle, bytes, state: this.tree.store.state(handle) });
  }

  at(index: number): Known | undefined {
    return this.known.length === 0 ? undefined : this.known[index % this.known.length];
  }
}

/** I2: there is no way back. */
function assertStates({ known, tree }: Model): void {
  for (const one of known) {
    const now = tree.store.state(one.handle);
    expect(ORDER[one.state], `${one.state} became ${now}`).toContain(now);
    one.state = now;
  }
}

/** `undefined` for a refusal: anything else that is thrown is a defect. */
async function attempt<Result>(call: () => Promise<Result> | Result): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function textOf(latin: string): string {
  const text = Buffer.from(latin, "latin1").toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** The bytes to which accepted edits come, worked out unit for unit. */
function planned(latin: string, edits: readonly { readonly at: Span; readonly text: string }[]): string {
  const whole = Buffer.from(latin, "latin1").toString("utf8");
  const bom = whole.startsWith("\ufeff") ? "\ufeff" : "";
  const base = whole.slice(bom.length);
  const isCrlf = base.includes("\r\n") && !/(?<!\r)\n|\r(?!\n)/u.test(base);
  let text = bom;
  for (let at = 0; at <= base.length; at++) {
    for (const isPosition of [true, false]) {
      for (const { at: one, text: put } of edits) {
        if (one.start !== at || (one.start === one.end) !== isPosition) continue;
        text += isCrlf ? put.replaceAll(/(?<!\r)\n/gu, "\r\n") : put;
      }
    }
    if (!edits.some(({ at: one }) => one.start <= at && at < one.end)) text += base[at] ?? "";
  }
  return Buffer.from(text, "utf8").toString("latin1");
}

async function capture(
  model: Model,
  { name: which, from, to }: { name: string; from: number; to: number },
): Promise<void> {
  const { store, owner, root } = model.tree;
  const captured = await attempt(() => store.capture(which, root, owner));
  if (captured === undefined) return;
  const { snapshot, text } = captured;
  const last = model.generations.get(snapshot.key);
  const { ctimeNs, ino } = statSync(snapshot.key, { bigint: true });
  const stamp = `${ctimeNs}:${ino}:${snapshot.digest}`;
  // I15: it counts on with every change that is seen, and never back.
  if (last !== undefined) {
    expect(snapshot.generation).toBeGreaterThanOrEqual(last.generation);
    if (stamp !== last.stamp) expect(snapshot.generation).toBeGreaterThan(last.generation);
  }
  model.generations.set(snapshot.key, { generation: snapshot.generation, stamp });
  expect(textOf(model.bytes(snapshot.key) ?? "")).toBe(text);
  const [start, end] = [from % (text.length + 1), to % (text.length + 1)].toSorted((one, other) => one - other);
  const handle = await attempt(() =>
    store.hold(owner, [{ snapshot, text, spans: [span(start ?? 0, end ?? 0)] }], { complete: true }),
  );
  if (handle !== undefined) model.remember(handle, [snapshot.key]);
}

/** I1 and I11. */
async function use(
  model: Model,
  known: Known | undefined,
): Promise<readonly { key: string; text: string; spans: readonly Span[] }[] | undefined> {
  if (known === undefined) return undefined;
  const held = await attempt(() => model.tree.store.use(known.handle, model.tree.owner));
  if (held === undefined) return undefined;
  for (const { snapshot, text, spans } of held.parts) {
    expect(text).toBe(textOf(model.bytes(snapshot.key) ?? ""));
    expect(text).toBe(textOf(known.bytes.get(snapshot.key) ?? ""));
    for (const { start, end } of spans) {
      expect(text.slice(start, end).isWellFormed()).toBe(true);
      for (const edge of [start, end]) expect(text.slice(edge - 1, edge + 1)).not.toBe("\r\n");
    }
  }
  return held.parts.map(({ snapshot, text, spans }) => ({ key: snapshot.key, text, spans }));
}

async function derive(
  model: Model,
  { handle, from, to, lines }: { handle: number; from: number; to: number; lines: boolean },
): Promise<void> {
  const { store, owner } = model.tree;
  const base = model.at(handle);
  const parts = await use(model, base);
  const [first] = parts ?? [];
  if (base === undefined || first === undefined) return;
  const cover = first.spans;
  const made = await attempt(async () => {
    if (lines) return store.pick(base.handle, owner, { lines: [from, Math.max(from, to)] });
    const held = await store.use(base.handle, owner);
    return store.derive(
      [base.handle],
      held.parts.slice(0, 1).map((part) => ({ ...part, spans: [span(Math.min(from, to), Math.max(from, to))] })),
    );
  });
  if (made === undefined) return;
  // I3: nothing that the base does not cover.
  const held = await store.use(made, owner);
  for (const { start, end } of held.parts.flatMap(({ spans }) => spans)) {
    expect(cover.some((one) => one.start <= start && end <= one.end)).toBe(true);
  }
  model.remember(made, [first.key]);
}

async function edit(model: Model, known: Known | undefined, text: string): Promise<void> {
  if (known === undefined) return;
  const accepted = await attempt(() => model.batch.accept({ kind: "splice", target: known.handle, text }));
  if (accepted === undefined) return;
  const pieces = piecesOf(model, known).map(({ key, at }) => ({ key, at, text, isResult: true }));
  model.waiting.push({ result: accepted.result, pieces });
  model.known.push({ handle: accepted.result, bytes: new Map(), state: "pending" });
}

/** The ranges of a handle, from what the store itself keeps: only read, to say where a known edit goes. */
function piecesOf(model: Model, known: Known): readonly { key: string; at: Span }[] {
  const { parts } = known.handle as unknown as {
    parts: readonly { snapshot: { key: string }; spans: readonly Span[] }[];
  };
  return parts.flatMap(({ snapshot: { key }, spans }) => {
    if (!model.bases.has(key)) model.bases.set(key, known.bytes.get(key) ?? "");
    return spans.map((at) => ({ key, at }));
  });
}

async function transfer(
  model: Model,
  source: Known | undefined,
  to: Known | undefined,
  remove: boolean,
): Promise<void> {
  if (source === undefined || to === undefined) return;
  const accepted = await attempt(() =>
    model.batch.accept({ kind: "transfer", source: source.handle, to: to.handle, remove }),
  );
  if (accepted === undefined) return;
  const taken = piecesOf(model, source);
  const texts = taken.map(({ key, at }) => textOf(source.bytes.get(key) ?? "").slice(at.start, at.end));
  const pieces = [
    ...piecesOf(model, to).map((piece, index) => ({ ...piece, text: texts[index] ?? "", isResult: true })),
    ...(remove ? taken.map((piece) => ({ ...piece, text: "", isResult: false })) : []),
  ];
  model.waiting.push({ result: accepted.result, pieces });
  model.known.push({ handle: accepted.result, bytes: new Map(), state: "pending" });
}

/** I5, I6, I8 and I16. */
async function save(model: Model, how: () => Promise<CommitReport>): Promise<void> {
  const { store, puts } = model.tree;
  const before = new Map([...model.bases.keys()].map((key) => [key, model.bytes(key)]));
  puts.clear();
  const report = await attempt(how);
  if (report === undefined) return;
  for (const count of puts.values()) expect(count).toBe(1);
  const edits = [...model.saved, ...model.waiting].flatMap(({ pieces }) => pieces);
  for (const { key, effect } of report.files) {
    if (effect === "not-applied") expect(model.bytes(key)).toBe(before.get(key));
    if (effect === "applied") {
      expect(puts.get(key)).toBe(1);
      expect(model.bytes(key)).toBe(
        planned(
          model.bases.get(key) ?? "",
          edits.filter((piece) => piece.key === key),
        ),
      );
    }
  }
  if (report.effect !== "applied") expect(puts.size).toBe(0);
  for (const { result, pieces } of model.waiting) {
    const state = report.edits.find((one) => one.result === result)?.state;
    expect(store.state(result)).toBe(state);
    const known = model.known.find(({ handle }) => handle === result);
    if (state !== "live" || known === undefined) continue;
    const keys = new Set(pieces.map(({ key }) => key));
    (known.bytes as Map<string, string>).clear();
    for (const key of keys) (known.bytes as Map<string, string>).set(key, model.bytes(key) ?? "");
    const held = await use(model, known);
    const isCrlf = (key: string): boolean =>
      planned(model.bases.get(key) ?? "", [{ at: span(0, 0), text: "\n" }]).startsWith("\r\n");
    const expected = pieces
      .filter((piece) => piece.isResult)
      .map(({ key, text }) => (isCrlf(key) ? text.replaceAll(/(?<!\r)\n/gu, "\r\n") : text));
    const found = (held ?? []).flatMap(({ text, spans }) => spans.map(({ start, end }) => text.slice(start, end)));
    expect(found.toSorted()).toEqual(expected.toSorted());
  }
  if (model.keepsBase && report.effect === "applied")
    model.saved.push(...model.waiting.filter(({ result }) => store.state(result) === "live"));
  if (!model.keepsBase) model.bases = new Map();
  model.waiting = [];
}

async function endBatch(model: Model, how: "commit" | "discard", keepsBase: boolean): Promise<void> {
  const { store, owner, puts } = model.tree;
  const ended = model.batch;
  await save(model, () => ended.close(how));
  puts.clear();
  expect(await attempt(() => ended.commit())).toBeUndefined();
  const any = model.at(0);
  if (any !== undefined)
    expect(await attempt(() => ended.accept({ kind: "splice", target: any.handle, text: "x" }))).toBeUndefined();
  expect(puts.size).toBe(0);
  model.batch = store.batch(owner, { keepsBase });
  model.keepsBase = keepsBase;
  model.bases = new Map();
  model.saved = [];
}

async function clear(model: Model): Promise<void> {
  const { store, results, owner } = model.tree;
  const { id } = model.tree.issue("x", model.known[0]?.handle);
  store.clear();
  results.clear();
  expect(results.size).toBe(0);
  expect(await attempt(() => results.resolve(id, owner))).toBeUndefined();
  for (const { handle } of model.known) expect(await attempt(() => store.use(handle, owner))).toBeUndefined();
  model.known.length = 0;
  model.generations.clear();
  model.batch = store.batch(owner);
  Object.assign(model, { keepsBase: false, waiting: [], bases: new Map(), saved: [] });
}

/** What others do to the files. */
function foreign(model: Model, action: Step): void {
  const path = (which: string): string => model.tree.path(which);
  switch (action.do) {
    case "write":
      if (existsSync(path(action.name)) || action.name !== "link") writeFileSync(path(action.name), action.text);
      return;
    case "restore": {
      const key = existsSync(path(action.name)) ? realpathSync(path(action.name)) : path(action.name);
      const old = model.known.map(({ bytes }) => bytes.get(key)).find((bytes) => bytes !== undefined);
      if (old !== undefined) writeFileSync(key, old, "latin1");
      return;
    }
    case "touch":
      if (existsSync(path(action.name))) utimesSync(path(action.name), 1, 1);
      return;
    case "delete":
      rmSync(path(action.name), { force: true });
      return;
    case "relink": {
      const which = action.hard ? "hard" : "link";
      if (action.hard && !existsSync(path(action.to))) return;
      rmSync(path(which), { force: true });
      if (action.hard) linkSync(path(action.to), path(which));
      else symlinkSync(action.to, path(which));
      return;
    }
    default:
      throw new Error(`${action.do} is not done by others`);
  }
}

async function take(model: Model, action: Step): Promise<void> {
  switch (action.do) {
    case "capture":
      return capture(model, action);
    case "use":
      await use(model, model.at(action.handle));
      return;
    case "derive":
      return derive(model, action);
    case "edit":
      return edit(model, model.at(action.handle), action.text);
    case "transfer":
      return transfer(model, model.at(action.handle), model.at(action.to), action.remove);
    case "commit":
      return save(model, () => model.batch.commit());
    case "end":
      return endBatch(model, action.how, action.keepsBase);
    case "observe":
      await model.tree.store.observe(undefined, { trustMarks: action.trustMarks });
      return;
    case "clear":
      return clear(model);
    default:
      foreign(model, action);
  }
}

describe("the store, among foreign writes, restores, touches, links and deletions", () => {
  it("keeps its invariants (I1, I2, I3, I5, I6, I8, I10, I11, I15, I16)", async () => {
    const parent = await temporaryFolder();
    let run = 0;
    const seen = { live: 0, rejected: 0 };
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 5, maxLength: 40 }), async (keepsBase, steps) => {
        const root = join(parent, `${run++}`);
        mkdirSync(root);
        const model = new Model(openWorktree(root, { a: "one\ntwo\n", b: "😀\r\né\r\n", c: "" }), keepsBase);
        symlinkSync("a", join(root, "link"));
        linkSync(join(root, "b"), join(root, "hard"));
        // Ranges of one text, so that there is something to edit side by side.
        for (const at of [0, 2, 4, 8]) await capture(model, { name: "a", from: at, to: at + (at % 4) });
        for (const action of steps) {
          await take(model, action);
          assertStates(model);
          for (const { state } of model.known) if (state === "live" || state === "rejected") seen[state]++;
        }
        await endBatch(model, "commit", false);
        assertStates(model);
        rmSync(root, { recursive: true });
      }),
      { numRuns: 1_500 },
    );
    // The steps do lead to where something can be seen.
    expect(seen.live).toBeGreaterThan(1_000);
    expect(seen.rejected).toBeGreaterThan(100);
  });
});
