import { type NoteAddress, parseAddress } from "./address.ts";
import type { NoteEdit } from "./edit.ts";
import { NoteError } from "./error.ts";
import { requireBoolean, requireList, requireObject } from "./given.ts";
import { type NotesIdentity, snapshotIdentity } from "./identity.ts";
import { listNotes } from "./list-notes.ts";
import { type LocatedNote, whileNoOtherProcess, withNotes } from "./locked-notes.ts";
import type { NoteMeta } from "./metadata.ts";
import { mutationWait } from "./process-lock.ts";
import type { NoteRow, NoteSearchRow, NotesQuery } from "./query.ts";
import { type ReadNote, readNote } from "./read-note.ts";
import { searchNotes } from "./search-notes.ts";
import { shownAddress } from "./system-error.ts";
import { type UpdatedNote, updateNote, type UpdateOptions, type UpdateRequest } from "./update-note.ts";
import { checkContent, checkOrigin, type WriteOptions, type WrittenNote, writeNote } from "./write-note.ts";

/** A note that was renamed. */
export interface RenamedNote {
  /** The canonical address of the destination. */
  readonly address: string;
  readonly meta: NoteMeta;
  /** Whether a crumpled note was at the destination, and is gone. */
  readonly replacedCrumpledTarget: boolean;
}

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

  /**
   * Edits a note's body, changes its origin, crumples it or brings it back, and moves it, in one go.
   * Everything is checked before anything is saved. An edit is literal and must match once, unless
   * `replaceAll` is set; each works on what the one before it left. `updatedAt` advances for a
   * change of body or origin and for a move. What changes nothing succeeds and leaves the file
   * untouched. A live note at the destination is never replaced; a crumpled one is.
   *
   * A move writes the destination and then removes the source: a crash between leaves both.
   *
   * @throws NoteError `not_found`, `nothing_to_do`, `empty_edit`, `no_match`, `ambiguous_match` (with
   * `lineNumbers`; edits with `editIndex`), `already_exists`, `locked` (another process, for 5
   * seconds), `too_large` (also for more than 100,000 edits), and those of `write`; nothing has
   * changed then
   */
  update(address: string, edits?: readonly NoteEdit[], options?: UpdateOptions): Promise<UpdatedNote>;

  /**
   * Moves a note: `update` with `renameTo` alone.
   *
   * @throws NoteError as `update`
   */
  rename(fromAddress: string, toAddress: string): Promise<RenamedNote>;

  /**
   * Lists notes, the last updated first, then by address. No access is counted. Changes of notes of
   * this home that were asked for before in this process are waited for.
   *
   * @throws NoteError `invalid_glob`, `unknown_scope`, `invalid_text`
   */
  list(query?: NotesQuery): Promise<NoteRow[]>;

  /**
   * Finds the notes that hold one of some texts, by address, with the lines on which they do. Case
   * does not count; each text is literal; empty ones are ignored, and with none left every selected
   * note is given, without matches. One that holds a line end is in no line, and finds nothing. No
   * access is counted. Changes are waited for as `list` does.
   *
   * @throws NoteError `invalid_glob`, `unknown_scope`, `invalid_text`, `too_large` (the texts: 1,048,576
   * UTF-16 units together, 100,000 texts)
   */
  search(queries: readonly string[], query?: NotesQuery): Promise<NoteSearchRow[]>;
}

/**
 * Opens the notes of an identity. The identity is copied and checked; nothing is created until
 * something is written. Stores of one process work on one file one after another, whichever store
 * was asked.
 *
 * @throws NoteError `invalid_identity`
 */
export function createNotesStore(identity: NotesIdentity): NotesStore {
  return openStore(identity);
}

/** What stands around the work of a store on single notes, while they are locked. */
export interface StoreGuard {
  /** Whether a reading is counted in the note's file. */
  readonly countsAccess: boolean;
  /** Runs `work` on notes, or refuses to by throwing: their files do not change before it does. */
  around<Result>(
    doing: "read" | "write",
    located: readonly LocatedNote[],
    work: () => Promise<Result>,
  ): Promise<Result>;
}

const UNGUARDED: StoreGuard = { countsAccess: true, around: (_doing, _located, work) => work() };

/** A store whose work on single notes is guarded. */
export function openStore(identity: NotesIdentity, guard: StoreGuard = UNGUARDED): NotesStore {
  const self = snapshotIdentity(identity);

  const store: NotesStore = {
    async write(address, content, options = {}) {
      const note = parseAddress(address, self);
      requireObject("the options", options, note.address);
      const { origin } = options;
      requireOwn(note);
      checkContent(content, note.address);
      checkOrigin(origin, note.address);
      const wait = mutationWait();
      return withNotes(self.home, [note], "write", (located) =>
        whileNoOtherProcess(located, wait, () =>
          guard.around("write", located, () => writeNote(located[0], content, origin, self)),
        ),
      );
    },

    async read(address) {
      return withNotes(self.home, [parseAddress(address, self)], "read", ([one]) =>
        guard.around("read", [one], () => readNote(one, guard.countsAccess)),
      );
    },

    async update(address, edits = [], options = {}) {
      const source = parseAddress(address, self);
      requireList("the list of edits", edits, "{ oldText, newText }", source.address);
      requireObject("the options", options, source.address);
      requireBoolean("crumpled", options.crumpled, source.address);
      requireBoolean("replaceAll", options.replaceAll, source.address);
      const { renameTo } = options;
      const request: UpdateRequest = {
        // An edit that is no object has no texts: that is refused where they are looked at.
        edits: edits.map((edit: NoteEdit | null) => ({
          oldText: edit?.oldText as string,
          newText: edit?.newText as string,
        })),
        origin: options.origin,
        crumpled: options.crumpled,
        replaceAll: options.replaceAll ?? false,
      };
      const target = renameTo === undefined ? undefined : parseAddress(renameTo, self);
      checkUpdate(source, target, request);
      // One file under two spellings of its address is one note.
      const notes =
        target === undefined || target.address === source.address ? ([source] as const) : ([source, target] as const);
      const wait = mutationWait();
      return withNotes(self.home, notes, "write", (located) =>
        whileNoOtherProcess(located, wait, () =>
          guard.around("write", located, () => updateNote(located[0], located[1], request, self)),
        ),
      );
    },

    async rename(fromAddress, toAddress) {
      const { address, meta, replacedCrumpledTarget } = await store.update(fromAddress, [], { renameTo: toAddress });
      return { address, meta, replacedCrumpledTarget };
    },

    list: (query = {}) => listNotes(self, query),

    search: (queries, query = {}) => searchNotes(self, queries, query),
  };
  return store;
}

function checkUpdate(
  source: NoteAddress,
  target: NoteAddress | undefined,
  { edits, origin, crumpled }: UpdateRequest,
): void {
  const { address, namespace } = source;
  if (edits.length === 0 && origin === undefined && crumpled === undefined && target === undefined) {
    const message = `nothing was asked to be done with ${shownAddress(address)}; give edits, origin, crumpled or a new address`;
    throw new NoteError("nothing_to_do", message, { address });
  }
  checkOrigin(origin, address);
  const isCrumplingAlone = edits.length === 0 && origin === undefined && target === undefined;
  if (!(namespace.access === "foreign" && isCrumplingAlone)) requireOwn(source);
  if (target !== undefined) requireOwn(target);
}

function requireOwn({ address, namespace }: NoteAddress): void {
  if (namespace.access === "own") return;
  const message =
    namespace.access === "foreign"
      ? `${shownAddress(address)} is of another agent or model: it can be read and crumpled only; write to @self/, @model/, @project/, @human/ or a path of this session`
      : `${shownAddress(address)} can only be read, for it names a project or session; write to @project/, @human/, @self/, @model/ or a path of this session`;
  throw new NoteError("read_only", message, { address });
}
