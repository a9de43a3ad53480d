import { describe, expect, it } from "vitest";
import { asTime } from "../src/json.ts";

describe("a time", () => {
  it("is a number, or an ISO 8601 text with a zone", () => {
    expect(asTime(1000)).toBe(1000);
    expect(asTime("1970-01-01T00:00:01.000Z")).toBe(1000);
    expect(asTime("1970-01-01T01:00:01+01:00")).toBe(1000);
    for (const value of ["1970-01-01", "yesterday", "1970-01-01T00:00:01", null, Number.POSITIVE_INFINITY, 1e300]) {
      expect(asTime(value)).toBeNull();
    }
  });

  it("is of a day that there is, and none is taken for one of the next month", () => {
    for (const day of ["2026-02-28", "2028-02-29", "2026-04-30", "2026-12-31", "0000-02-29", "2000-02-29"]) {
      expect(new Date(asTime(`${day}T23:30:00+01:00`) ?? 0).toISOString().slice(0, 10)).toBe(day);
    }
    for (const day of [
      "2026-02-29",
      "2026-02-30",
      "2026-02-31",
      "2026-04-31",
      "1900-02-29",
      "2026-01-32",
      "2026-13-30",
    ]) {
      expect(asTime(`${day}T00:00:00Z`), day).toBeNull();
    }
  });
});
