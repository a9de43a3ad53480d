import type { NoteQueryStatus, NotesStore } from "../src/index.ts";

/** Whether a test can take a folder away from itself, which needs another user to become. */
export const isRoot = process.getuid?.() === 0;

/** The user whom files of others are closed to. */
export const NOBODY = 65_534;

/** The addresses that a list gives, sorted, and the status that it tells, once. */
export async function withStatus(
  store: NotesStore,
  glob?: string,
): Promise<{ readonly found: string[]; readonly status: NoteQueryStatus }> {
  const statuses: NoteQueryStatus[] = [];
  const rows = await store.list({ glob, onStatus: (status) => void statuses.push(status) });
  const [status] = statuses;
  if (status === undefined || statuses.length !== 1) throw new Error("onStatus is called once");
  return { found: rows.map(({ address }) => address).toSorted(), status };
}
