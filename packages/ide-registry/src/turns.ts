/** Work on one thing at a time, in the order of asking. */
export class Turns {
  readonly #ends = new Map<string, Promise<void>>();

  /**
   * Runs `work` when everything that was asked for before under one of the same keys has ended. The
   * turn is taken under all keys at once, before anything is awaited, so that two never wait for each other.
   */
  async run<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const before = keys.map((key) => this.#ends.get(key));
    const { promise: end, resolve } = Promise.withResolvers<void>();
    for (const key of keys) this.#ends.set(key, end);
    try {
      for (const turn of before) await turn;
      return await work();
    } finally {
      for (const key of keys) if (this.#ends.get(key) === end) this.#ends.delete(key);
      resolve();
    }
  }
}
