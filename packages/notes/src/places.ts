/** A growing list of positions in a text. A million of them weigh little, and are nothing to the garbage collector. */
export class Places {
  #places = new Uint32Array(16);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(place: number): void {
    if (this.#count === this.#places.length) {
      const more = new Uint32Array(2 * this.#count);
      more.set(this.#places);
      this.#places = more;
    }
    this.#places[this.#count++] = place;
  }

  all(): Uint32Array {
    return this.#places.subarray(0, this.#count);
  }
}
