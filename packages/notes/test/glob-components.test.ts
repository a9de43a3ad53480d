import { expand } from "brace-expansion";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance, isAccepted, parseGlob, startState } from "../src/glob.ts";
import { matches } from "./glob-fixture.ts";

describe("matching component by component", () => {
  const glob = fc
    .array(fc.constantFrom("**", "a", "b", "*", "?", "[!a]", "{a,b/c}"), { minLength: 1, maxLength: 5 })
    .map((components) => components.join("/"));
  const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 6 });
  /** As the dialect is written down, without a thought for time. */
  const naive = (components: readonly string[], names: readonly string[]): boolean => {
    const [component, ...rest] = components;
    const [name, ...others] = names;
    if (component === undefined) return name === undefined;
    if (component === "**" && rest.length > 0 && naive(rest, names)) return true;
    if (name === undefined) return false;
    if (component === "**") return rest.length === 0 || naive(components, others);
    const matched = component === "*" || component === "?" || component === name;
    return (matched || (component === "[!a]" && name !== "a")) && naive(rest, others);
  };

  it("accepts exactly the whole paths", () => {
    fc.assert(
      fc.property(glob, path, (pattern, names) => {
        const expected = expand(pattern).some((alternative) => naive(alternative.split("/"), names));
        expect(matches(pattern, names.join("/"))).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });

  it("is over where the state is empty, and goes on where a path below can match", () => {
    let dead = 0;
    fc.assert(
      fc.property(glob, path, path, (pattern, above, below) => {
        for (const alternative of parseGlob(pattern)) {
          let state = startState(alternative);
          for (const name of above) state = advance(alternative, state, name);
          const empty = state.size === 0;
          for (const name of below) state = advance(alternative, state, name);
          if (!empty) continue;
          dead++;
          expect(state.size).toBe(0);
          expect(isAccepted(alternative, state)).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
    expect(dead).toBeGreaterThan(100);
  });

  it("leaves a state as it was, so that a walk can go on from it in several folders", () => {
    const [alternative] = parseGlob("**/a/b");
    if (alternative === undefined) throw new Error("no alternative");
    const state = advance(alternative, startState(alternative), "a");
    advance(alternative, state, "x");
    expect(isAccepted(alternative, advance(alternative, state, "b"))).toBe(true);
  });

  it("accepts nothing before the first component", () => {
    for (const pattern of ["**", "*", "**/**", "a"])
      for (const alternative of parseGlob(pattern))
        expect(isAccepted(alternative, startState(alternative))).toBe(false);
  });
});
