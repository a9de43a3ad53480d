import { expect, it } from "vitest";
import { failure, readAnswer } from "../src/transport/answer.ts";

it("a failure is one line, whatever its message", () => {
  expect(failure("internal", "first\r\n  second\n")).toEqual({
    kind: "failure",
    line: "error: internal: first second",
  });
});

it.each([null, "outcome", 3, [], {}, { kind: "other" }])("%j is no answer", (value) => {
  expect(readAnswer(value)).toBeUndefined();
});
