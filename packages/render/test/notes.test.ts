import type { NotesListResult, NotesReadResult, NotesSearchResult, NotesUpdateResult } from "@notesoup/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  renderNotesList,
  renderNotesRead,
  renderNotesSearch,
  renderNotesUpdate,
  renderNotesWrite,
  renderRefusal,
} from "../src/index.ts";

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

  it("stays one line, whatever its message quotes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (error) => {
        const line = renderRefusal({ code: "no_match", error });
        expect(line.startsWith("error: no_match: ")).toBe(true);
        expect(line).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/u);
      }),
    );
  });
});

describe("the receipt of an update", () => {
  const updated: NotesUpdateResult = {
    address: "@project/a.md",
    project_key: "app-0a1b2c3d",
    applied: 2,
    change: "body",
    crumpled: false,
    updated_at: "2026-11-30T09:05:12.004Z",
  };

  it.each<[string, Partial<NotesUpdateResult>, string]>([
    ["edits", {}, "updated @project/a.md · 2 edits"],
    ["one edit", { applied: 1 }, "updated @project/a.md · 1 edit"],
    [
      "edits and a move",
      { rename_from: "@project/b.md" },
      "updated @project/a.md · 2 edits · renamed from @project/b.md",
    ],
    [
      "a move onto a crumpled note",
      { applied: 0, change: "metadata", rename_from: "b.md", replaced_crumpled_target: true },
      "updated @project/a.md · renamed from b.md · replaced a crumpled note",
    ],
    ["crumpling", { applied: 0, change: "metadata", crumpled: true }, "updated @project/a.md · metadata · crumpled"],
    [
      "bringing back, or another origin",
      { applied: 0, change: "metadata" },
      "updated @project/a.md · metadata · not crumpled",
    ],
    ["an edit of a crumpled note", { crumpled: true }, "updated @project/a.md · 2 edits · crumpled"],
    [
      "edits without effect beside another change",
      { change: "metadata", crumpled: true },
      "updated @project/a.md · 2 edits without effect · metadata · crumpled",
    ],
    ["edits without effect", { change: "none" }, "unchanged @project/a.md · 2 edits without effect"],
    ["nothing", { applied: 0, change: "none", crumpled: true }, "unchanged @project/a.md · crumpled"],
  ])("tells %s in one line", (_, facts, line) => {
    expect(renderNotesUpdate({ ...updated, ...facts })).toBe(line);
  });

  it("stays one line for addresses with line separators", () => {
    const line = renderNotesUpdate({ ...updated, address: "a\u2028.md", rename_from: "b\u2029.md" });
    expect(line).toBe("updated a\\u2028.md · 2 edits · renamed from b\\u2029.md");
  });
});

describe("a list", () => {
  const file = { bytes: 12, origin: "self", updated_at: "2026-11-30T09:05:12.004Z" } as const;

  it("has a line for each note, and says once which project it is", () => {
    const result: NotesListResult = {
      files: [
        { ...file, address: "@project/a.md", project_key: "app-0a1b2c3d" },
        { ...file, address: "@project/b.md", project_key: "app-0a1b2c3d", bytes: 1 },
        { ...file, address: "todo\n.md", origin: "user", crumpled_at: "2026-11-30T10:00:00.000Z" },
      ],
      more: 0,
    };
    expect(renderNotesList(result)).toBe(
      [
        "project app-0a1b2c3d",
        "@project/a.md · 12 bytes · origin self · updated 2026-11-30T09:05:12.004Z",
        "@project/b.md · 1 byte · origin self · updated 2026-11-30T09:05:12.004Z",
        "todo\\u000a.md · 12 bytes · origin user · updated 2026-11-30T09:05:12.004Z · crumpled 2026-11-30T10:00:00.000Z",
      ].join("\n"),
    );
  });

  it("tells what it left out and what could not be read, each on a line of its own", () => {
    const result: NotesListResult = {
      files: [{ ...file, address: "a.md" }],
      more: 12,
      namespaces_unavailable: ["@human", "@sessions/x\ny"],
      notes_unavailable: [{ address: "@project/b\u202e.md", code: "not_utf8" }],
      more_unavailable: 3,
    };
    expect(renderNotesList(result).split("\n").slice(1)).toEqual([
      "+12 more; narrow with glob",
      "unavailable @human",
      "unavailable @sessions/x\\u000ay",
      "unavailable @project/b\\u202e.md · not_utf8",
      "+3 more unavailable",
    ]);
  });

  it("says in one line that it is empty", () => {
    expect(renderNotesList({ files: [], more: 0 })).toBe("no notes found");
    expect(renderNotesList({ files: [], more: 0, namespaces_unavailable: ["@human"] })).toBe(
      "no notes found\nunavailable @human",
    );
  });
});

describe("a search", () => {
  const result: NotesSearchResult = {
    files: [
      {
        address: "@project/a.md",
        project_key: "app-0a1b2c3d",
        matches: [
          { line: 3, offset_chars: 41, text: "\tUse a \u202elibrary." },
          { line: 9, offset_chars: 120, text: "no library" },
        ],
        more_matches: 7,
      },
      { address: "todo.md", matches: [], more_matches: 1 },
    ],
    more: 2,
  };

  it("has a line for each note and one for each match, with its line and position", () => {
    expect(renderNotesSearch(result)).toBe(
      [
        "project app-0a1b2c3d",
        "@project/a.md",
        "  line 3 · offset 41 · \\u0009Use a \\u202elibrary.",
        "  line 9 · offset 120 · no library",
        "  +7 more matches",
        "todo.md",
        "  +1 more match",
        "+2 more; narrow with glob",
      ].join("\n"),
    );
  });

  it("has the notes alone where nothing was searched for", () => {
    const files = ["a.md", "b.md"].map((address) => ({ address, matches: [] }));
    expect(renderNotesSearch({ files, more: 0 })).toBe("a.md\nb.md");
  });

  it("says in one line that nothing was found", () => {
    expect(renderNotesSearch({ files: [], more: 0 })).toBe("no notes found");
  });
});
