import type { SessionWindow } from "@notesoup/history";
import { createNotesStore, NoteError, type NotesIdentity, type Scope } from "@notesoup/notes";
import { notebookLoader } from "./notebook-loader.ts";
import type { BootNote, NotebookContent, NotebookLoader } from "./notebook.ts";

/** Whose memory a boot shows. Without the notes home: no path of a machine is in a boot. */
export type BootIdentity = Readonly<Omit<NotesIdentity, "home">>;

/** Where in a session a boot stands. */
export interface BootSession {
  /** The host's name for the window that begins with this boot. */
  readonly windowId: string;
  /** The windows before that one, oldest first. */
  readonly windows: readonly SessionWindow[];
}

/** What a snapshot is taken of. */
export interface BootRequest {
  readonly identity: NotesIdentity;
  /** The time that the snapshot bears, in milliseconds since 1970: no clock is read. */
  readonly capturedAt: number;
  /** Absent where the host does not know; then nothing is said of windows. */
  readonly session?: BootSession | undefined;
  /** `notebookLoader(identity)` if absent. */
  readonly loadNotebook?: NotebookLoader | undefined;
}

/** All that the text of a boot is made of: plain data that can be kept as JSON. Frozen. */
export interface BootSnapshot {
  /** Milliseconds since 1970. */
  readonly capturedAt: number;
  readonly identity: BootIdentity;
  readonly session: BootSession | null;
  readonly notebooks: Readonly<Record<Scope, NotebookContent>>;
}

/**
 * Reads the five notebooks, each once. A notebook that cannot be read is named in the snapshot
 * with a code, and the others stand.
 *
 * @throws NoteError `invalid_identity`
 * @throws RangeError where `capturedAt` is no time
 */
export async function takeBootSnapshot(request: BootRequest): Promise<BootSnapshot> {
  const { identity, capturedAt, session } = request;
  if (Number.isNaN(new Date(capturedAt).getTime())) throw new RangeError(`capturedAt ${capturedAt} is no time`);
  const { sessionId, projectKey, agent, model } = identity;
  // Taken before anything is waited for, so that a later change of what was given is not seen.
  const given = {
    capturedAt,
    identity: { sessionId, projectKey, agent, model },
    session: session === undefined ? null : sessionOf(session),
  };
  const load = loaderOf(request);
  const [ofSession, ofProject, ofHuman, ofAgent, ofModel] = await Promise.all([
    contentOf(load, "session"),
    contentOf(load, "project"),
    contentOf(load, "human"),
    contentOf(load, "agent"),
    contentOf(load, "model"),
  ]);
  return frozen({
    ...given,
    notebooks: { session: ofSession, project: ofProject, human: ofHuman, agent: ofAgent, model: ofModel },
  });
}

/** The identity is checked whoever loads. */
function loaderOf({ identity, loadNotebook }: BootRequest): NotebookLoader {
  if (loadNotebook === undefined) return notebookLoader(identity);
  createNotesStore(identity);
  return loadNotebook;
}

function sessionOf({ windowId, windows }: BootSession): BootSession {
  return {
    windowId,
    windows: windows
      .map(({ firstSeq, lastSeq, startedAt, events }) => ({ firstSeq, lastSeq, startedAt, events }))
      .toSorted((a, b) => a.firstSeq - b.firstSeq),
  };
}

async function contentOf(load: NotebookLoader, notebook: Scope): Promise<NotebookContent> {
  try {
    return copyOf(await load(notebook));
  } catch (error) {
    return { status: "unreadable", code: error instanceof NoteError ? error.code : "failed" };
  }
}

/** A copy of what a loader gave, in the order of a snapshot. */
function copyOf(content: NotebookContent): NotebookContent {
  if (content.status === "unreadable") return { status: "unreadable", code: content.code };
  const { map, notes, unavailable } = content;
  return {
    status: "ready",
    map: map === null ? null : { ...noteOf(map), body: map.body },
    notes: notes.map(noteOf).toSorted((a, b) => compare(b.updatedAt, a.updatedAt) || compare(a.address, b.address)),
    unavailable: unavailable
      .map(({ address, code }) => ({ address, code }))
      .toSorted((a, b) => compare(a.address, b.address)),
  };
}

function noteOf({ address, bytes, updatedAt }: BootNote): BootNote {
  return { address, bytes, updatedAt };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The value itself, frozen all through. */
function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value) as unknown[]) if (typeof part === "object" && part !== null) frozen(part);
  return Object.freeze(value);
}
