import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { NotesIdentity } from "@notesoup/notes";
import { temporaryFolder } from "@notesoup/testing";
import { type BootRequest, type BootSnapshot, type BootTools, takeBootSnapshot } from "../src/index.ts";

/** 2026-11-30T19:04:18.197Z. */
export const CAPTURED_AT = Date.UTC(2026, 10, 30, 19, 4, 18, 197);

export const TOOLS: BootTools = {
  notesRead: "notes_read",
  notesWrite: "notes_write",
  notesUpdate: "notes_update",
  notesList: "notes_list",
  notesSearch: "notes_search",
  historyList: "history_list",
  historyRead: "history_read",
};

/** The folder of the project's notebook in the home of a fixture. */
export const PROJECT = "project/app-0a1b2c3d";

/** The folder of the session's notebook in the home of a fixture. */
export const SESSION = "pi/session/session-1";

/** A home that does not exist yet, and snapshots of it. */
export interface BootFixture {
  readonly home: string;
  readonly identity: NotesIdentity;
  /** Puts a note where it lies on disk, updated so many minutes after the first of January 2026. */
  given(path: string, body: string, minute?: number): void;
  /** Puts a file as it is. */
  file(path: string, content: string | Uint8Array): void;
  snapshot(changes?: Partial<BootRequest>): Promise<BootSnapshot>;
}

/** Makes a fixture of the running test's own. */
export async function bootFixture(): Promise<BootFixture> {
  const home = join(await temporaryFolder(), "notes");
  const identity = { home, sessionId: "session-1", projectKey: "app-0a1b2c3d", agent: "pi", model: "some-model" };
  const fixture: BootFixture = {
    home,
    identity,
    given: (path, body, minute = 0) => {
      const updatedAt = timeAt(minute);
      fixture.file(path, `---\norigin: self\ncreatedAt: ${updatedAt}\nupdatedAt: ${updatedAt}\n---\n${body}`);
    },
    file: (path, content) => {
      const target = join(home, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    },
    snapshot: (changes) => takeBootSnapshot({ identity, capturedAt: CAPTURED_AT, ...changes }),
  };
  return fixture;
}

/** So many minutes after the first of January 2026. */
export function timeAt(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}
