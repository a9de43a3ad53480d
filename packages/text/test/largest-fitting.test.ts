import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largestFitting } from "../src/largest-fitting.ts";

describe("largestFitting", () => {
  it("finds the bound, whatever it is, and asks a logarithmic number of times", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (max, bound) => {
        let asked = 0;
        const found = largestFitting(max, (candidate) => {
          asked++;
          return candidate <= bound;
        });
        expect(found).toBe(Math.min(max, bound));
        expect(asked).toBeLessThanOrEqual(Math.log2(Math.max(1, max)) + 2);
      }),
    );
  });
});
