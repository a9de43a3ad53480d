import { isAbsolute, resolve } from "node:path";
import { createNotesStore, type NotesIdentity } from "@notesoup/notes";
import { type Decorate, undecorated } from "../answer.ts";
import type { DreamMarker } from "./dream-marker.ts";

/** What a host hands to every notes operation: whose notes, where it works, and how it decorates text. Immutable. */
export interface NotesToolContext {
  /** The identity of the host's session; a call's `cwd` replaces its `projectKey` for that call. */
  readonly identity: NotesIdentity;
  /** The session's folder, absolute: what a relative `cwd` resolves against. Never the process's own. */
  readonly baseCwd: string;
  readonly decorate: Decorate;
  /** The dream for which the operations work, if it is one. */
  readonly dream: DreamMarker | undefined;
}

/** What a context may have beside identity and folder. */
export interface NotesToolOptions {
  /** Decorates the text of every success; none if absent. */
  readonly decorate?: Decorate | undefined;
  /** Marks the context as a dream's; none if absent. */
  readonly dream?: DreamMarker | undefined;
}

/**
 * Makes a context. The identity is checked and copied, so that a host may make one from its live
 * session before the first `await` of a call.
 *
 * @param baseCwd the session's folder, absolute
 * @throws NoteError `invalid_identity`; TypeError where `baseCwd` is not absolute
 */
export function notesToolContext(
  identity: NotesIdentity,
  baseCwd: string,
  { decorate = undecorated, dream }: NotesToolOptions = {},
): NotesToolContext {
  const { home, sessionId, projectKey, agent, model } = identity;
  const copy = { home, sessionId, projectKey, agent, model };
  // The store is the judge of an identity; making one touches no disk.
  createNotesStore(copy);
  if (!isAbsolute(baseCwd)) throw new TypeError(`baseCwd is ${JSON.stringify(baseCwd)}; it must be absolute`);
  return Object.freeze({ identity: Object.freeze({ ...copy, home: resolve(home) }), baseCwd, decorate, dream });
}
