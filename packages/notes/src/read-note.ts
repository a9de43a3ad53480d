import type { NoteAddress, Scope } from "./address.ts";
import { NoteError } from "./error.ts";
import { metaOf, tellsAge, type NoteMeta } from "./metadata.ts";
import { changeNoteText, type NoteFile, readNoteFile } from "./note-file.ts";
import { replaceFile } from "./replace-file.ts";
import { isSystemError } from "./system-error.ts";

/** A note that was read. */
export interface ReadNote {
  /** The canonical address: NFC, with `.md`. */
  readonly address: string;
  readonly meta: NoteMeta;
  /** The body, without the serialized frontmatter and without a byte order mark of the file. */
  readonly body: string;
  readonly resolvedScope: Scope;
}

/** Reads the note at a physical path and counts the access, where it is counted. To be run under the file's lock. */
export async function readNote(path: string, { address, namespace }: NoteAddress): Promise<ReadNote | undefined> {
  const file = await readNoteFile(path, address);
  if (file === undefined) return undefined;
  const meta = metaOf(file.text.frontmatter?.mapping, file.stats);
  // Another agent's or model's note counts too; one of a project or session addressed by its name does not.
  const isCounted = !(namespace.readOnly && (namespace.scope === "project" || namespace.scope === "session"));
  return {
    address,
    meta: isCounted ? await countAccess(path, file, meta, address) : meta,
    body: file.text.body,
    resolvedScope: namespace.scope,
  };
}

/**
 * Counts an access in the note's file. A person's own file without frontmatter is left alone, and
 * where the count cannot be written, the reading has succeeded all the same.
 *
 * @returns the metadata as they are now
 */
async function countAccess(path: string, file: NoteFile, meta: NoteMeta, address: string): Promise<NoteMeta> {
  const { text, stats } = file;
  if (text.frontmatter === undefined) return meta;
  const counted: NoteMeta = {
    ...meta,
    accessCount: Math.min(meta.accessCount + 1, Number.MAX_SAFE_INTEGER),
    lastAccessed: new Date().toISOString(),
  };
  try {
    const changed = changeNoteText(
      text,
      { lastAccessed: counted.lastAccessed, accessCount: counted.accessCount },
      text.body,
      address,
    );
    // Without a line of its own the note's age is the file's, which reading must not change.
    await replaceFile(path, changed, { old: stats, flush: false, keepTime: !tellsAge(text.frontmatter.mapping) });
    return counted;
  } catch (error) {
    if (error instanceof NoteError || isSystemError(error)) return meta;
    throw error;
  }
}
