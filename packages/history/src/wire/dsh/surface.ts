/** An event whose message the model sees, between its neighbours. */
interface SurfaceNode {
  readonly seq: number;
  previous: SurfaceNode | undefined;
  next: SurfaceNode | undefined;
}

/**
 * What the model sees of a log: events in an order of their own, named by their seqs. An event is
 * appended, or takes the place of a range of others. Each of them is looked at once, however long
 * the log is.
 */
export class Surface {
  readonly #nodes = new Map<number, SurfaceNode>();
  #first: SurfaceNode | undefined;
  #last: SurfaceNode | undefined;

  append(seq: number): void {
    this.#insert(seq, this.#last, undefined);
  }

  /**
   * Puts an event in the place of all from `start` to `end`, by position. Where the line of an event
   * was lost, the range begins with the first one, or ends before the first that is younger than `end`.
   *
   * @returns whether that was the whole surface
   */
  replace(seq: number, start: number | undefined, end: number | undefined): boolean {
    const from = this.#node(start) ?? this.#first;
    const to = this.#node(end);
    const youngest = to === undefined ? (end ?? Infinity) : Infinity;
    const before = from?.previous;
    let after = from;
    for (let isDone = false; !isDone && after !== undefined && after.seq <= youngest; after = after.next) {
      this.#nodes.delete(after.seq);
      isDone = after === to;
    }
    this.#insert(seq, before, after);
    return before === undefined && after === undefined;
  }

  #node(seq: number | undefined): SurfaceNode | undefined {
    return seq === undefined ? undefined : this.#nodes.get(seq);
  }

  #insert(seq: number, previous: SurfaceNode | undefined, next: SurfaceNode | undefined): void {
    const node: SurfaceNode = { seq, previous, next };
    this.#nodes.set(seq, node);
    if (previous === undefined) this.#first = node;
    else previous.next = node;
    if (next === undefined) this.#last = node;
    else next.previous = node;
  }
}
