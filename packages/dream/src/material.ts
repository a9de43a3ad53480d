import type { NotesIdentity } from "@notesoup/notes";
import { scopeOf, type Survey, surveyNotes } from "@notesoup/notes/maintenance";
import type { DreamRecord } from "./record.ts";
import type { BaselineNote } from "./run-files.ts";

/** What a dream is about. */
export interface Material {
  /** The notes in scope, crumpled ones too, by address. */
  readonly notes: readonly BaselineNote[];
  /** Notes of the whole store. */
  readonly storeNotes: number;
  /** Notes in scope that have changed since the last dream, or are gone. */
  readonly changedNotes: number;
  readonly unavailable: Survey;
}

/**
 * Looks at the whole store once. A note has changed where its content is another one than the last
 * dream saw, whatever the times of files say.
 *
 * @throws NoteError `invalid_glob`, `unknown_scope`
 */
export async function gatherMaterial(
  identity: NotesIdentity,
  glob: string,
  { versions }: DreamRecord,
): Promise<Material> {
  const scope = scopeOf(glob, identity);
  const seen = new Set<string>();
  // A file that links give several addresses is one note, under the shortest of its own notebook.
  const notes = new Map<string, BaselineNote>();
  let storeNotes = 0;
  const unavailable = await surveyNotes(identity, "**", (note) => {
    const { address, path, notebook, version, bytes, meta, isLinked } = note;
    if (!seen.has(path)) storeNotes++;
    seen.add(path);
    if (!scope.has(address) || (isLinked && notes.has(path))) return;
    notes.set(path, {
      address,
      path,
      notebook,
      version,
      bytes,
      updatedAt: meta.updatedAt,
      lastAccessed: meta.lastAccessed ?? null,
      accessCount: meta.accessCount,
      crumpledAt: meta.crumpledAt ?? null,
      changed: versions[path] !== version,
      isLinked,
    });
  });
  const sorted = [...notes.values()].toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const gone = Object.keys(versions).filter((path) => !seen.has(path)).length;
  return {
    notes: sorted,
    storeNotes,
    changedNotes: sorted.filter(({ changed }) => changed).length + gone,
    unavailable,
  };
}
