import { expect, it } from "vitest";
import { statusText } from "../src/command/status-report.ts";

const nothing = {
  home: "/notes",
  project_key: "app-0a1b2c3d",
  notebooks: [],
  unavailable: 0,
  harnesses: [],
  versions: {},
};

it("tells each notebook, and of those of sessions the sum", () => {
  const text = statusText({
    ...nothing,
    notebooks: [
      { notebook: "@project", notes: 2, crumpled: 0, bytes: 1 },
      { notebook: "@sessions/a", notes: 1, crumpled: 1, bytes: 10 },
      { notebook: "@sessions/b", notes: 3, crumpled: 0, bytes: 20 },
    ],
    unavailable: 1,
    harnesses: [{ harness: "dsh", found: true, sessions: 0, last_activity: null }],
  });
  expect(text).toBe(`home: /notes
project: app-0a1b2c3d
notebooks:
  @project/ · 2 notes · 1 byte
  @sessions/*/ · 4 notes · 1 crumpled · 30 bytes · 2 sessions
  1 could not be read; notesoup notes list "**" names them
sessions:
  dsh · 0 sessions
versions:`);
});

it("says where there are no notes", () => {
  expect(statusText(nothing)).toContain("  no notes yet\n");
});
