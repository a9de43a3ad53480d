import type { Stats } from "node:fs";
import { statSync } from "node:fs";
import { NoteError } from "./error.ts";
import { type Findings, findNotes, type FoundNote } from "./found-notes.ts";
import type { GlobAlternative } from "./glob.ts";
import type { NotesIdentity } from "./identity.ts";
import { turnKey } from "./locked-notes.ts";
import { metaOfFile, type NoteFile, readNoteFile } from "./note-file.ts";
import { physicalPath } from "./physical-path.ts";
import type { NotesQuery } from "./query.ts";
import { queriedGlob, reachedNamespaces } from "./reach.ts";
import { Slices } from "./slices.ts";
import { coded, isSystemError } from "./system-error.ts";
import { pendingTurn } from "./turns.ts";

/** What is done with the notes of a query, one after another. */
export interface Visitor {
  /** Whether a file can be one to visit, by its whole text; without this, each can. */
  readonly isWanted?: (text: string) => boolean;
  readonly note: (found: FoundNote, file: NoteFile) => void | Promise<void>;
  /** A file that is too large to be read as a note. */
  readonly tooLarge?: (found: FoundNote, stats: Stats) => void;
}

/**
 * Visits the notes that a query selects, and reports what could not be read. What was asked for before
 * the query is waited for, so that a note that is made or moved is in its place; one that is changed
 * meanwhile is read after that. Not a snapshot: a file that is made meanwhile may not be found.
 *
 * @param before what was pending in the home when the query was asked
 * @throws NoteError `invalid_glob`, `unknown_scope`; `io`, where not even the home can be looked for
 */
export async function visitNotes(
  identity: NotesIdentity,
  query: NotesQuery,
  before: readonly Promise<void>[],
  visitor: Visitor,
): Promise<void> {
  const alternatives = queriedGlob(query.glob);
  for (const turn of before) await turn;
  try {
    await visit(identity, alternatives, query, visitor);
  } catch (error) {
    throw coded("read", "the notes", error);
  }
}

async function visit(
  identity: NotesIdentity,
  alternatives: readonly GlobAlternative[],
  { crumpled = false, onStatus }: NotesQuery,
  visitor: Visitor,
): Promise<void> {
  const root = physicalPath(identity.home);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw Object.assign(new Error("the home is a file"), { code: "ENOTDIR" });
  }
  const { namespaces, unavailable } = reachedNamespaces(root, alternatives, identity);
  const findings: Findings = { notes: [], namespacesUnavailable: [...unavailable], notesUnavailable: [] };
  const slices = new Slices();
  for (const namespace of namespaces) await findNotes(root, namespace, slices, findings);
  for (const found of findings.notes) {
    if (slices.isOver) await slices.next();
    const pending = pendingTurn(() => turnKey(identity.home, found));
    if (pending !== undefined) await pending;
    const file = read(found, findings, visitor.isWanted, crumpled ? undefined : visitor.tooLarge);
    if (file === undefined || (metaOfFile(file).crumpledAt !== undefined) !== crumpled) continue;
    // To wait where there is nothing to wait for would take longer than most notes do.
    const visiting = visitor.note(found, file);
    if (visiting !== undefined) await visiting;
  }
  onStatus?.({
    namespacesUnavailable: findings.namespacesUnavailable.toSorted(),
    notesUnavailable: findings.notesUnavailable.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  });
}

function read(
  found: FoundNote,
  findings: Findings,
  isWanted: Visitor["isWanted"],
  tooLarge: Visitor["tooLarge"],
): NoteFile | undefined {
  const { address, path } = found;
  try {
    return readNoteFile(path, address, isWanted);
  } catch (error) {
    if (!(error instanceof NoteError) && !isSystemError(error)) throw error;
    const code = error instanceof NoteError ? error.code : "io";
    findings.notesUnavailable.push({ address, code });
    const stats = code === "too_large" ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stats !== undefined) tooLarge?.(found, stats);
    return undefined;
  }
}
