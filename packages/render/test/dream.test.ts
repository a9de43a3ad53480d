import { describe, expect, it } from "vitest";
import { renderDreamBegin, renderDreamEnd } from "../src/index.ts";

const row = {
  address: "@project/a.md",
  bytes: 1,
  updated_at: "2026-11-01T00:00:00.000Z",
  last_accessed: null,
  access_count: 0,
  age_days: 30,
  changed: true,
};

describe("a page of a dream's material", () => {
  it("is one line a note below the run, with its size, age, accesses, and whether it changed", () => {
    const read = { ...row, address: "b.md", bytes: 20, age_days: 1, changed: false };
    const rows = [row, { ...read, last_accessed: "2026-11-02T00:00:00.000Z", access_count: 3 }];
    expect(renderDreamBegin({ run: "r1", rows, next_after: null, sessions: 1 }).split("\n")).toEqual([
      "dream r1 · 1 session since the last dream",
      "@project/a.md · 1 byte · 30 days old · never read · changed",
      "b.md · 20 bytes · 1 day old · read 3 times, last 2026-11-02T00:00:00.000Z",
    ]);
  });

  it("ends with what continues it, and says where there is no note", () => {
    const page = renderDreamBegin({ run: "r1", rows: [row], next_after: row.address, sessions: 0 });
    expect(page.split("\n").at(-1)).toBe('[more; continue with after="@project/a.md"]');
    expect(renderDreamBegin({ run: "r1", rows: [], next_after: null, sessions: 0 })).toContain("no notes found");
  });

  it("lets no address break a line", () => {
    const page = renderDreamBegin({ run: "r1", rows: [{ ...row, address: "a\nb.md" }], next_after: null, sessions: 0 });
    expect(page.split("\n")).toHaveLength(2);
  });
});

it("says in one line what a dream came to", () => {
  const result = { run: "r1", changed: 4, crumpled: 3, purged: 2, left_open: 1, report_address: "dreams/r1.md" };
  expect(renderDreamEnd(result)).toBe(
    "dream r1 ended · 4 changed · 3 crumpled · 2 purged · 1 left open · report dreams/r1.md",
  );
});
