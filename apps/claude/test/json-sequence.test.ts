import { expect, it } from "vitest";
import { jsonRecord, jsonRecords } from "../src/transport/json-sequence.ts";

it("gives back the values that were written, in order", () => {
  const text = jsonRecord({ socket: "/run/s" }) + jsonRecord(["a\nb", "\u001e"]);
  expect(jsonRecords(text)).toEqual([{ socket: "/run/s" }, ["a\nb", "\u001e"]]);
});

it("skips whatever else was printed, before, between and behind", () => {
  const text = `{}\na warning\n${jsonRecord(1)}{"kind":"outcome"}\n${jsonRecord(2)}bye`;
  expect(jsonRecords(text)).toEqual([1, 2]);
});

it("takes no record whose end is not there yet, and none that is no JSON", () => {
  const whole = jsonRecord({ socket: "/run/s" });
  expect(jsonRecords(whole.slice(0, -1))).toEqual([]);
  expect(jsonRecords(`\u001enonsense\n${whole}`)).toEqual([{ socket: "/run/s" }]);
});
