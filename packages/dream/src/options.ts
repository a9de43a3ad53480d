import type { NotesIdentity } from "@notesoup/notes";
import type { Decorate } from "@notesoup/tools";

/** A session of any agent, as the gates count it. */
export interface KnownSession {
  /** Its canonical name: `<harness>:<id>`. */
  readonly name: string;
  /** When something was last written to it, milliseconds since 1970. */
  readonly lastActivity: number;
}

/** What a host gives a dream. */
export interface DreamOptions {
  /** The identity of the dreamer's session. */
  readonly identity: NotesIdentity;
  /** The session's folder, absolute: what a relative `cwd` of a call resolves against. */
  readonly baseCwd: string;
  /** The host's environment: where git is found. Its `GIT_*` are left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All sessions, such as those of a corpus of `@notesoup/history`; none are counted where it is absent. */
  readonly sessions?: (() => Promise<readonly KnownSession[]>) | undefined;
  /** The canonical name of the dreamer's own session: it never counts as one that calls for a dream. */
  readonly session?: string | undefined;
  /** A run that another process has begun, to be joined; a new one where it is absent. */
  readonly run?: string | undefined;
  /** Decorates the text of every success; none if absent. */
  readonly decorate?: Decorate | undefined;
  /** The clock, milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}
