import type { Scope } from "./namespace.ts";
import type { NoteErrorCode } from "./error.ts";
import { requireBoolean, requireObject, wrong } from "./given.ts";
import type { NoteMeta } from "./metadata.ts";

/** Which notes a query is about. */
export interface NotesQuery {
  /**
   * Which notebooks and paths: the only selector. Omitted, or `@default`: the five current
   * notebooks. `**` is every notebook.
   */
  readonly glob?: string | undefined;
  /** `true`: the crumpled notes only. Otherwise they are left out. */
  readonly crumpled?: boolean | undefined;
  /** Called once before the promise resolves, with what could not be read. */
  readonly onStatus?: ((status: NoteQueryStatus) => void) | undefined;
}

/** What a query could not read. A folder that is missing is an empty notebook, and not named here. */
export interface NoteQueryStatus {
  /** Namespaces whose folder exists and cannot be read, as `@project` or `@sessions/<id>`. */
  readonly namespacesUnavailable: readonly string[];
  readonly notesUnavailable: readonly UnavailableNote[];
}

/** A note that a query found and could not read. */
export interface UnavailableNote {
  readonly address: string;
  /** `shadowed`: its name on disk is another Unicode form of another note's. Else the code with which reading it refuses. */
  readonly code: NoteErrorCode | "shadowed";
}

/** A listed note. */
export interface NoteRow {
  /** The canonical address. */
  readonly address: string;
  readonly scope: Scope;
  /** The path inside its notebook, with `.md`. */
  readonly path: string;
  readonly meta: NoteMeta;
  readonly body: string;
  /** Bytes of UTF-8 of the body. */
  readonly bytes: number;
}

/** A found note. */
export interface NoteSearchRow {
  /** The canonical address. */
  readonly address: string;
  readonly scope: Scope;
  /** The path inside its notebook, with `.md`. */
  readonly path: string;
  readonly meta: NoteMeta;
  /** One for each line that matches; none where nothing was searched for. */
  readonly matches: readonly NoteMatch[];
}

/** A line of a body in which a query was found. */
export interface NoteMatch {
  /** Counted from one. */
  readonly line: number;
  /** The line without its ending, verbatim. */
  readonly text: string;
  /** Where the earliest hit in the line begins: code points from the start of the body. */
  readonly offsetChars: number;
}

/**
 * A query as it is in this moment: later changes of the object that was given do not reach it. A
 * glob is checked where it is read.
 *
 * @throws NoteError `invalid_text`
 */
export function checkedQuery(query: NotesQuery): NotesQuery {
  requireObject("the query", query);
  const { glob, crumpled, onStatus } = query;
  requireBoolean("crumpled", crumpled);
  if (onStatus !== undefined && typeof onStatus !== "function")
    throw wrong("onStatus", onStatus, "give a function, or leave it out");
  return { glob, crumpled, onStatus };
}
