import { setImmediate } from "node:timers/promises";

const SLICE_MS = 8;

/** Work that is done in short slices, so that a long one leaves the event loop to others between. */
export class Slices {
  #end = performance.now() + SLICE_MS;

  /** To be awaited where this is `true`. Asking costs next to nothing; awaiting each time would cost more than the work. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets everybody else run, and begins the next slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Does in slices what may be left wherever it yields. */
export async function inSlices<Result>(work: Generator<void, Result, void>): Promise<Result> {
  const slices = new Slices();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (slices.isOver) await slices.next();
  }
}

/** Does at once what may be left wherever it yields. */
export function atOnce<Result>(work: Generator<void, Result, void>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}
