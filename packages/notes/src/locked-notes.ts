import { join } from "node:path";
import type { NoteAddress } from "./address.ts";
import { withFileLocks } from "./file-lock.ts";
import { namespaceFolder } from "./namespace.ts";
import { type Location, locate } from "./physical-path.ts";
import { lockPath, type LockWait, withProcessLock } from "./process-lock.ts";
import { coded } from "./system-error.ts";
import { inTurn } from "./turns.ts";

/** A note and where it lies. */
export interface LocatedNote extends Location {
  readonly note: NoteAddress;
}

/** The key under which work on a note takes its turn. */
export function turnKey(
  home: string,
  { namespace, components }: Pick<NoteAddress, "namespace" | "components">,
): string {
  return join(home, ...namespaceFolder(namespace), ...components);
}

/**
 * Runs `work` on notes in the order of asking, and while nobody else in this process works on one
 * of their files.
 *
 * @throws NoteError `outside_home`, `io`, and what `work` throws
 */
export async function withNotes<Result>(
  home: string,
  notes: readonly [NoteAddress, ...NoteAddress[]],
  doing: "read" | "write",
  work: (located: readonly [LocatedNote, ...LocatedNote[]]) => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = notes;
  const find = (note: NoteAddress): LocatedNote => {
    const components = [...namespaceFolder(note.namespace), ...note.components];
    try {
      return { note, ...locate(home, components, note.address) };
    } catch (error) {
      throw coded(doing, note.address, error);
    }
  };
  try {
    return await inTurn(
      notes.map((note) => turnKey(home, note)),
      () => {
        const located = [find(first), ...others.map(find)] as const;
        return withFileLocks(
          located.map(({ path }) => path),
          () => work(located),
        );
      },
    );
  } catch (error) {
    throw coded(doing, first.address, error);
  }
}

/**
 * Runs `work` while no other process that asks changes one of the files. Several are locked in one
 * order everywhere.
 *
 * @throws NoteError `locked`
 */
export function whileNoOtherProcess<Result>(
  located: readonly LocatedNote[],
  wait: LockWait,
  work: () => Promise<Result>,
): Promise<Result> {
  const locks = new Map(located.map(({ root, path, note }) => [lockPath(root, path), note.address]));
  return [...locks]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .reduce(
      (inner, [lock, address]) =>
        () =>
          withProcessLock(lock, wait, address, inner),
      work,
    )();
}
