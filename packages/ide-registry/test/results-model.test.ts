import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelLine, openRegistry, type Owner, Refusal } from "../src/index.ts";
import { nodeDisk } from "../src/node.ts";

const OWNERS: readonly Owner[] = [
  { session: "s1", root: "/r1" },
  { session: "s2", root: "/r1" },
  { session: "s1", root: "/r2" },
];
const LIMIT = 2;

const which = fc.nat(20);
const owner = fc.constantFrom(...OWNERS);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("issue" as const),
      owner,
      body: fc.string({ unit: "grapheme", maxLength: 8 }),
      ok: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("resolve" as const), which, owner, isBare: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("flip" as const), which, at: fc.nat(400), bit: fc.nat(15) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("seal" as const),
      which,
      more: fc.string({ unit: "grapheme", maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("clear" as const) }) },
);

interface Known {
  readonly id: string;
  readonly owner: Owner;
  readonly ok: boolean;
  text: string;
  isSettled: boolean;
}

/** The code with which something is refused, or `resolved`. */
function outcome(call: () => unknown): string {
  try {
    call();
    return "resolved";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

function expectedFor({ ok, owner: theirs }: Known, caller: Owner): string {
  if (theirs.session !== caller.session) return "foreign_session";
  if (theirs.root !== caller.root) return "foreign_worktree";
  return ok ? "resolved" : "not_consumable";
}

describe("issued results", () => {
  it("resolve for their owner and unchanged alone, and are expired or unknown afterwards (I4, I10, I13, I14)", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
        const { results } = openRegistry(nodeDisk(), { references: LIMIT });
        let known: Known[] = [];
        for (const action of steps) {
          if (action.do === "clear") {
            results.clear();
            for (const { id, owner: theirs } of known)
              expect(outcome(() => results.resolve(id, theirs))).toBe("unknown_reference");
            known = [];
            expect(results.size).toBe(0);
            continue;
          }
          if (action.do === "issue") {
            const { ok, body } = action;
            const issued = results.issue({
              owner: action.owner,
              kind: "k",
              body,
              ok,
              resource: "r",
              label: (id) => labelLine(id, {}),
            });
            known.push({ ...issued, owner: action.owner, ok, isSettled: false });
            continue;
          }
          const one = known[action.which % Math.max(1, known.length)];
          if (one === undefined) continue;
          const age = known.length - known.indexOf(one);
          const gone = age <= LIMIT ? undefined : age <= 2 * LIMIT ? "retired_reference" : "unknown_reference";
          if (action.do === "resolve") {
            const found = outcome(() => results.resolve(action.isBare ? one.id : one.text, action.owner));
            expect(found).toBe(gone ?? expectedFor(one, action.owner));
            seen.add(found);
            if (gone === undefined && (found === "resolved" || found === "not_consumable")) one.isSettled = true;
          } else if (action.do === "flip") {
            const at = action.at % one.text.length;
            const flipped = `${one.text.slice(0, at)}${String.fromCharCode(one.text.charCodeAt(at) ^ (1 << action.bit))}${one.text.slice(at + 1)}`;
            expect(outcome(() => results.resolve(flipped, one.owner))).toMatch(
              /^(altered_result|unknown_reference|retired_reference)$/u,
            );
          } else if (gone === undefined) {
            const delivered = one.text + action.more;
            if (one.isSettled) expect(() => results.seal(one.id as never, delivered)).toThrow("sealed once");
            else {
              results.seal(one.id as never, delivered);
              Object.assign(one, { text: delivered, isSettled: true });
            }
          }
          expect(results.size).toBe(Math.min(LIMIT, known.length));
        }
      }),
      { numRuns: 1_000 },
    );
    expect([...seen].toSorted()).toEqual([
      "foreign_session",
      "foreign_worktree",
      "not_consumable",
      "resolved",
      "retired_reference",
      "unknown_reference",
    ]);
  });
});
