import { createNotesStore, NoteError, type NotesIdentity, type NotesStore } from "@notesoup/notes";
import { asOwn, openStore, type OwnNotes } from "@notesoup/notes/maintenance";
import { oneLine } from "@notesoup/text";
import { Refused } from "@notesoup/tools";
import type { Run } from "./run.ts";

/** The run for which a store works, and what is done when it has gone too far. */
export interface Jail {
  /** The run that is under way. @throws Refused `dream_aborted` where none is */
  readonly run: () => Run;
  /** Called after each change. @throws Refused `dream_aborted` where the dream was stopped by it */
  readonly afterChange: () => Promise<void>;
  /** Runs one change after another. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * The store of a dream (the jail). Every notebook in the scope can be written: through a second store
 * to which it is its own. Everything can be read, and no reading is counted.
 */
export function openJailStore(identity: NotesIdentity, jail: Jail): NotesStore {
  const reader = createNotesStore(identity);

  const changing = <Result>(
    addresses: readonly string[],
    work: (store: NotesStore, notes: OwnNotes["notes"]) => Promise<Result>,
  ): Promise<Result> =>
    jail.inTurn(async () => {
      const run = jail.run();
      const own = asOwn(addresses, identity);
      if (own === undefined)
        throw new Refused(
          "out_of_scope",
          "no note is moved from one notebook to another of its kind, nor changed in another session where its path begins with @; write it anew, and crumple the old one",
        );
      try {
        return await work(openStore(own.identity, run.guard()), own.notes);
      } catch (error) {
        throw named(error, own.notes);
      } finally {
        await jail.afterChange();
      }
    });

  return {
    write: (address, content, options) =>
      changing([address], async (store, [note]) => {
        const written = await store.write(innerOf(note), content, options);
        return { ...written, address: outerOf(note) };
      }),

    async read(address) {
      const guard = jail.run().guard();
      const own = asOwn([address], identity);
      if (own === undefined) return openStore(identity, guard).read(address);
      const read = await openStore(own.identity, guard).read(innerOf(own.notes[0]));
      return read === undefined ? undefined : { ...read, address: outerOf(own.notes[0]) };
    },

    update: (address, edits, options = {}) => {
      const { renameTo } = options;
      return changing(renameTo === undefined ? [address] : [address, renameTo], async (store, [source, target]) => {
        const inner = target === undefined ? options : { ...options, renameTo: target.inner };
        const updated = await store.update(innerOf(source), edits, inner);
        const place = updated.moved ? target : source;
        return { ...updated, address: outerOf(place), movedFrom: updated.moved ? outerOf(source) : undefined };
      });
    },

    async rename(fromAddress, toAddress) {
      const { address, meta, replacedCrumpledTarget } = await this.update(fromAddress, [], { renameTo: toAddress });
      return { address, meta, replacedCrumpledTarget };
    },

    list: (query) => reader.list(query),
    search: (queries, query) => reader.search(queries, query),
  };
}

function innerOf(note: OwnNotes["notes"][number] | undefined): string {
  return note?.inner ?? "";
}

function outerOf(note: OwnNotes["notes"][number] | undefined): string {
  return note?.outer ?? "";
}

/** A refusal of the second store, with the address by which the dreamer knows the note. */
function named(error: unknown, notes: OwnNotes["notes"]): unknown {
  if (!(error instanceof NoteError)) return error;
  const note = notes.find(({ inner, outer }) => inner === error.address && inner !== outer);
  if (note === undefined) return error;
  const { code, editIndex, lineNumbers, cause } = error;
  const message = error.message.replace(oneLine(note.inner), () => oneLine(note.outer));
  return new NoteError(code, message, {
    address: note.outer,
    cause,
    ...(editIndex === undefined ? {} : { editIndex }),
    ...(lineNumbers === undefined ? {} : { lineNumbers }),
  });
}
