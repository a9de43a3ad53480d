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
 * Runs `work` when everything that was asked for before under the same key has ended. The turn is
 * taken in the moment of the call, before anything is awaited: so that of two writes that nobody
 * waited between, the later one has the last word, and a read sees the write before it.
 */
export async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const turns = sharedTurns();
  const before = turns.get(key);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  turns.set(key, end);
  try {
    await before;
    return await work();
  } finally {
    if (turns.get(key) === end) turns.delete(key);
    resolve();
  }
}
