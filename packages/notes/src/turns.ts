import { sep } from "node:path";

/**
 * Who works on which note, in the order of asking, shared by every copy of this library in the
 * process: a host may load two copies, or load one anew.
 */
const TURNS = Symbol.for("notesoup.turns");

type Turns = Map<string, Promise<void>>;

function sharedTurns(): Turns {
  const holder = globalThis as { [TURNS]?: Turns };
  return (holder[TURNS] ??= new Map());
}

/**
 * Runs `work` when everything that was asked for before under one of the same keys has ended. The
 * turn is taken in the moment of the call, under all keys at once, before anything is awaited: so
 * that of two writes that nobody waited between, the later one has the last word, a read sees the
 * write before it, and two moves never wait for each other.
 */
export async function inTurn<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const turns = sharedTurns();
  const before = keys.map((key) => turns.get(key));
  const { promise: end, resolve } = Promise.withResolvers<void>();
  for (const key of keys) turns.set(key, end);
  try {
    for (const turn of before) await turn;
    return await work();
  } finally {
    for (const key of keys) if (turns.get(key) === end) turns.delete(key);
    resolve();
  }
}

/** The end of what has been asked for under a key, if anything is still to be done. The key is made only where anything is at all. */
export function pendingTurn(keyOf: () => string): Promise<void> | undefined {
  const turns = sharedTurns();
  return turns.size === 0 ? undefined : turns.get(keyOf());
}

/**
 * The ends of all that has been asked for under the keys of a folder by now. What is asked for later
 * is not among it: to wait for these comes to an end.
 */
export function pendingTurns(folder: string): readonly Promise<void>[] {
  const turns = sharedTurns();
  if (turns.size === 0) return [];
  const beginning = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  return [...turns].flatMap(([key, turn]) => (key.startsWith(beginning) ? [turn] : []));
}
