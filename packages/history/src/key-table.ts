import { keyOf } from "./key.ts";

const FIRST_LENGTH = 64;
/** A key is below 2 ** 53: none is this. */
const EMPTY = -1;

/** A map from ids to whole numbers from 0 on that keeps no id: a third of the memory of one that does. */
export class KeyTable {
  #keys = new Float64Array(FIRST_LENGTH).fill(EMPTY);
  #values = new Uint32Array(FIRST_LENGTH);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How much memory it takes. */
  get bytes(): number {
    return this.#keys.byteLength + this.#values.byteLength;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  get(id: string): number | undefined {
    const place = this.#placeOf(keyOf(id));
    return this.#keys[place] === EMPTY ? undefined : this.#values[place];
  }

  set(id: string, value: number): void {
    const key = keyOf(id);
    let place = this.#placeOf(key);
    if (this.#keys[place] === EMPTY) {
      if (++this.#size * 4 > this.#keys.length * 3) {
        this.#grow();
        place = this.#placeOf(key);
      }
      this.#keys[place] = key;
    }
    this.#values[place] = value;
  }

  /** Where a key is, or would be. */
  #placeOf(key: number): number {
    const mask = this.#keys.length - 1;
    let place = key & mask;
    while (this.#keys[place] !== EMPTY && this.#keys[place] !== key) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2).fill(EMPTY);
    this.#values = new Uint32Array(keys.length * 2);
    for (const [from, key] of keys.entries()) {
      if (key === EMPTY) continue;
      const place = this.#placeOf(key);
      this.#keys[place] = key;
      this.#values[place] = values[from] ?? 0;
    }
  }
}
