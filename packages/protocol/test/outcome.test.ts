import { expect, it } from "vitest";
import { resultOf } from "../src/index.ts";

it("puts a success on the wire as it is, without an envelope", () => {
  const data = { files: [] };
  expect(resultOf({ ok: true, data })).toBe(data);
});

it("puts a refusal on the wire flat", () => {
  expect(resultOf({ ok: false, error: { code: "not_found", message: "no note at a.md" } })).toEqual({
    error: "no note at a.md",
    code: "not_found",
  });
});
