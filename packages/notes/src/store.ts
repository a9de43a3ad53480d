import { join } from "node:path";
import { type NoteAddress, parseAddress } from "./address.ts";
import { NoteError } from "./error.ts";
import { withFileLock } from "./file-lock.ts";
import { type NotesIdentity, snapshotIdentity } from "./identity.ts";
import { namespaceDirectory } from "./layout.ts";
import { physicalPath } from "./physical-path.ts";
import { type ReadNote, readNote } from "./read-note.ts";
import { inTurn } from "./turns.ts";
import { ioError, isSystemError, shownAddress } from "./system-error.ts";
import { checkWrite, type WriteOptions, type WrittenNote, writeNote } from "./write-note.ts";

/** The notes of one identity. Every method rejects with `NoteError` on an expected failure. */
export interface NotesStore {
  /**
   * Writes a note whole. An existing one keeps its origin unless it is given, its time of creation,
   * its project and its other metadata, and is never crumpled afterwards.
   *
   * The file is replaced at once, so that a crash leaves the old note or the new one. The body is
   * kept byte for byte.
   *
   * @throws NoteError `invalid_address`, `unknown_scope`, `read_only`, `invalid_text`, `too_large`
   * (1 MiB with frontmatter), `not_utf8` (the existing file), `outside_home`, `io`; nothing has
   * changed then
   */
  write(address: string, content: string, options?: WriteOptions): Promise<WrittenNote>;

  /**
   * Reads a note, and counts the access in its file, except for a project or session addressed by
   * its name, for a file without frontmatter, and where the count cannot be written.
   *
   * @returns `undefined` where there is no such note
   * @throws NoteError `invalid_address`, `unknown_scope`, `invalid_text`, `too_large`, `not_utf8`,
   * `outside_home`, `io`
   */
  read(address: string): Promise<ReadNote | undefined>;
}

/**
 * Opens the notes of an identity. The identity is copied and checked; nothing is created until
 * something is written. Stores of one process work on one file one after another, whichever store
 * was asked.
 *
 * @throws NoteError `invalid_identity`
 */
export function createNotesStore(identity: NotesIdentity): NotesStore {
  const self = snapshotIdentity(identity);

  /** Runs `work` on the file of an address, in the order of asking and while nobody else in this process does. */
  async function atFile<Result>(
    doing: "read" | "write",
    address: NoteAddress,
    work: (path: string) => Promise<Result>,
  ): Promise<Result> {
    const components = [...namespaceDirectory(address.namespace), ...address.components];
    try {
      return await inTurn(join(self.home, ...components), async () => {
        const path = await physicalPath(self.home, components, address.address);
        return withFileLock(path, () => work(path));
      });
    } catch (error) {
      throw isSystemError(error) ? ioError(doing, address.address, error) : error;
    }
  }

  return {
    async write(address, content, { origin } = {}) {
      const target = parseAddress(address, self);
      if (target.namespace.readOnly) {
        const message = `${shownAddress(target.address)} can only be read: notes under @projects/, @sessions/ and another's @agents/ or @models/ are; write to a path of this session, @project/, @human/, @self/ or @model/`;
        throw new NoteError("read_only", message, { address: target.address });
      }
      checkWrite(target, content, origin);
      return atFile("write", target, (path) => writeNote(path, target, content, origin, self));
    },

    async read(address) {
      const target = parseAddress(address, self);
      return atFile("read", target, (path) => readNote(path, target));
    },
  };
}
