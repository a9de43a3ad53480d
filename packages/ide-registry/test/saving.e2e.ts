import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "@notesoup/testing";
import { areOverlapping, type Disk, type Handle, span, type Span } from "../src/index.ts";
import { nodeDisk } from "../src/node.ts";
import { codeOf, openWorktree } from "./registry-fixture.ts";

const FILES = ["a", "b", "c"] as const;
const START = "one two three four\n";

/** What happens to a write: nothing, it fails, it is done and fails, or somebody else writes right after it. */
const fate = fc.constantFrom("done" as const, "fails" as const, "fails late" as const, "is overwritten" as const);

describe("saving", () => {
  it("tells for each file what it holds, whatever happens to its writes (I5, I6, I8)", async () => {
    const root = await temporaryFolder();
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 6 }), fc.boolean(), async (fates, isWholeFiles) => {
        const real = nodeDisk();
        let writes = 0;
        const put: Disk["put"] = async (key, ...rest) => {
          const now = fates[writes++] ?? "done";
          if (now === "fails") throw new Error("no space");
          await real.put(key, ...rest);
          if (now === "is overwritten") writeFileSync(key, "foreign");
          if (now === "fails late") throw new Error("lost connection");
        };
        const tree = openWorktree(root, Object.fromEntries(FILES.map((name) => [name, START])), { faults: { put } });
        const { store, owner, text } = tree;
        const batch = store.batch(owner);
        const results: Handle[] = [];
        for (const name of FILES) {
          if (isWholeFiles) continue;
          results.push(
            (await batch.accept({ kind: "splice", target: await tree.hold(name, "two"), text: "2" })).result,
          );
        }
        const plan = START.replace("two", "2");
        const changes = FILES.map((name) => ({ path: name, to: Buffer.from(plan) }));
        const { files } = isWholeFiles ? await store.save(owner, root, changes) : await batch.commit();
        for (const [index, { effect }] of files.entries()) {
          seen.add(effect);
          const now = text(FILES[index] ?? "");
          if (effect === "applied") expect(now).toBe(plan);
          else if (effect === "not-applied") expect(now).toBe(START);
        }
        for (const [index, result] of results.entries()) {
          if (store.state(result) !== "live") continue;
          expect(files[index]?.effect).toBe("applied");
          const { parts } = await store.use(result, owner);
          expect(parts.map((part) => part.spans.map(({ start, end }) => part.text.slice(start, end)))).toEqual([["2"]]);
        }
      }),
      { numRuns: 1_000 },
    );
    expect([...seen].toSorted()).toEqual(["applied", "not-applied", "unknown"]);
  });

  it("comes to the same bytes in whatever order edits are accepted, and refuses the same overlaps (I7)", async () => {
    const parent = await temporaryFolder();
    const anySpans = fc.uniqueArray(
      fc
        .tuple(fc.nat(START.length), fc.nat(4))
        .map(([start, length]) => span(start, Math.min(START.length, start + length))),
      // Insertions at one place do have an order: it is that of their acceptance.
      { maxLength: 8, selector: ({ start, end }) => `${start}-${end}` },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        anySpans.chain((spans) =>
          fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })),
        ),
        fc.boolean(),
        async ([spans, shuffled], keepsBase) => {
          const accepted = async (order: readonly Span[], isTogether: boolean): Promise<string> => {
            const root = join(parent, `${run++}`);
            mkdirSync(root);
            const { store, owner } = openWorktree(root, { a: START });
            const captured = await store.capture("a", root, owner);
            const batch = store.batch(owner, { keepsBase: !isTogether });
            const taken: Span[] = [];
            const handles = order.map((one) => ({
              one,
              handle: store.hold(owner, [{ ...captured, spans: [one] }], { complete: true }),
            }));
            for (const { one, handle } of handles) {
              const isFree = !taken.some((other) => areOverlapping(one, other));
              const code = await codeOf(() =>
                batch.accept({ kind: "splice", target: handle, text: `<${one.start}-${one.end}>` }),
              );
              expect(code).toBe(isFree ? "no refusal" : "overlap");
              if (isFree) taken.push(one);
              if (!isTogether) await batch.commit();
            }
            await batch.close("commit");
            const text = readFileSync(join(root, "a"), "utf8");
            rmSync(root, { recursive: true });
            return text;
          };
          const free = spans.filter((one, index) => !spans.slice(0, index).some((other) => areOverlapping(one, other)));
          const kept = shuffled.filter((one) => free.includes(one));
          expect(await accepted(kept, !keepsBase)).toBe(await accepted(free, true));
          await accepted(shuffled, true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
