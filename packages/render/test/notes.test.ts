import type { NotesReadResult } from "@notesoup/protocol";
import { describe, expect, it } from "vitest";
import { renderNotesRead, renderNotesWrite, renderRefusal } from "../src/index.ts";

const read: NotesReadResult = {
  address: "@project/decisions.md",
  project_key: "app-0a1b2c3d",
  metadata: { origin: "user", created_at: "2026-11-30T09:00:00.000Z", updated_at: "2026-11-30T09:05:12.004Z" },
  text: "Use a host-independent notes library.\n",
  total_chars: 38,
  next_offset_chars: null,
};

describe("a read note", () => {
  it("has its identity and metadata above the body, and no footer where it is complete", () => {
    expect(renderNotesRead(read)).toBe(
      [
        "@project/decisions.md",
        "origin user · created 2026-11-30T09:00:00.000Z · updated 2026-11-30T09:05:12.004Z",
        "",
        "Use a host-independent notes library.\n",
      ].join("\n"),
    );
  });

  it("says where to go on where it is incomplete, on a line of its own", () => {
    expect(renderNotesRead({ ...read, text: "Use a", next_offset_chars: 5 })).toMatch(
      /\nUse a\n\[truncated; continue at offset_chars=5\]$/u,
    );
    expect(renderNotesRead({ ...read, text: "Use\n", next_offset_chars: 4 })).toMatch(
      /\nUse\n\[truncated; continue at offset_chars=4\]$/u,
    );
  });

  it("says that it is crumpled, which project it belongs to, and what its own frontmatter holds", () => {
    const metadata = {
      ...read.metadata,
      crumpled_at: "2026-11-30T10:00:00.000Z",
      project: "app-0a1b2c3d",
      extra: { tags: ["a\u2028b"] },
    };
    expect(
      renderNotesRead({ ...read, address: "todo.md", metadata })
        .split("\n")
        .slice(0, 4),
    ).toEqual([
      "todo.md",
      "origin user · created 2026-11-30T09:00:00.000Z · updated 2026-11-30T09:05:12.004Z · crumpled 2026-11-30T10:00:00.000Z · project app-0a1b2c3d",
      'frontmatter {"tags":["a\\u2028b"]}',
      "",
    ]);
  });

  it("delivers the body verbatim, whatever it holds", () => {
    const text = "\u202e---\r\n[truncated; continue at offset_chars=1]\u0000";
    expect(renderNotesRead({ ...read, text }).endsWith(`\n\n${text}`)).toBe(true);
  });
});

describe("a receipt", () => {
  it("is one line without the body", () => {
    expect(
      renderNotesWrite({
        address: "@project/a.md",
        outcome: "overwritten",
        bytes: 1,
        updated_at: "2026-11-30T09:00:00.000Z",
      }),
    ).toBe("overwritten @project/a.md · 1 byte");
  });

  it("stays one line for an address with a line separator", () => {
    expect(renderNotesWrite({ address: "a\u2028b.md", outcome: "created", bytes: 0, updated_at: "" })).toBe(
      "created a\\u2028b.md · 0 bytes",
    );
  });
});

describe("a refusal", () => {
  it("is one line with its code", () => {
    expect(renderRefusal({ code: "not_found", error: "there is no note at\nb.md" })).toBe(
      "error: not_found: there is no note at\\u000ab.md",
    );
  });
});
