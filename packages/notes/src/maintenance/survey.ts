import { readFileSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { utf8Bytes } from "@notesoup/text";
import { type Findings, findNotes } from "../found-notes.ts";
import { type NotesIdentity, snapshotIdentity } from "../identity.ts";
import type { NoteMeta } from "../metadata.ts";
import { namespaceFolder } from "../namespace.ts";
import { physicalPath } from "../physical-path.ts";
import type { UnavailableNote } from "../query.ts";
import { queriedGlob, reachedNamespaces } from "../reach.ts";
import { Slices } from "../slices.ts";
import { isSystemError } from "../system-error.ts";
import { bodyAndMeta, noteVersion } from "./note-version.ts";

/** A note that a survey has read. */
export interface SurveyedNote {
  readonly address: string;
  /** The notebook's folder in the home, by `/`. */
  readonly notebook: string;
  /** Where the file lies in the home, links followed, by `/`. */
  readonly path: string;
  /** Whether a link was followed on the way. */
  readonly isLinked: boolean;
  readonly meta: NoteMeta;
  readonly hasFrontmatter: boolean;
  /** What is between the two lines of `---`, where it has frontmatter. */
  readonly block: string | undefined;
  readonly body: string;
  /** Bytes of UTF-8 of the body. */
  readonly bytes: number;
  /** See `noteVersion`. */
  readonly version: string;
}

/** What a survey could not read. */
export interface Survey {
  /** Names of notebooks whose folder exists and cannot be read: `@project`, `@sessions/<id>`. */
  readonly notebooksUnavailable: readonly string[];
  readonly notesUnavailable: readonly UnavailableNote[];
}

/** No file that is larger is a note. */
const NOTE_MAX_BYTES = 1_048_576;

/**
 * Reads every note that a glob matches, live or crumpled, once, in the order in which they lie. In
 * slices; nothing is written, no access is counted.
 *
 * @throws NoteError `invalid_glob`, `unknown_scope`; a failure to look at the home as it comes
 */
export async function surveyNotes(
  identity: NotesIdentity,
  glob: string,
  visit: (note: SurveyedNote) => void,
): Promise<Survey> {
  const self = snapshotIdentity(identity);
  const alternatives = queriedGlob(glob);
  const root = physicalPath(self.home);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === false)
    throw Object.assign(new Error("the home is a file"), { code: "ENOTDIR" });
  const { namespaces, unavailable } = reachedNamespaces(root, alternatives, self);
  const findings: Findings = { notes: [], namespacesUnavailable: [...unavailable], notesUnavailable: [] };
  const slices = new Slices();
  for (const reached of namespaces) await findNotes(root, reached, slices, findings);
  for (const { address, namespace, components, path } of findings.notes) {
    if (slices.isOver) await slices.next();
    const folder = namespaceFolder(namespace);
    const read = readNote(path);
    if (read === undefined) continue;
    if ("code" in read) {
      findings.notesUnavailable.push({ address, code: read.code });
      continue;
    }
    const content = bodyAndMeta(read.bytes, read.stats);
    if (content === undefined) {
      findings.notesUnavailable.push({ address, code: "not_utf8" });
      continue;
    }
    visit({
      address,
      notebook: folder.join("/"),
      path: relative(root, path).split(sep).join("/"),
      isLinked: join(root, ...folder, ...components) !== path,
      ...content,
      bytes: utf8Bytes(content.body),
      version: noteVersion(read.bytes),
    });
  }
  return { notebooksUnavailable: findings.namespacesUnavailable, notesUnavailable: findings.notesUnavailable };
}

function readNote(
  path: string,
): { readonly bytes: Buffer; readonly stats: Stats } | { readonly code: "too_large" | "io" } | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { code: "io" };
    if (stats.size > NOTE_MAX_BYTES) return { code: "too_large" };
    return { bytes: readFileSync(path), stats };
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    if (isSystemError(error)) return { code: "io" };
    throw error;
  }
}
