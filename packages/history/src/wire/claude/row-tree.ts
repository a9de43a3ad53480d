import { Column } from "../../column.ts";
import { KeyTable } from "../../key-table.ts";

/** In place of a number: there is none. */
const NONE = -1;

/** How a row hangs together with others, by their ids. */
export interface RowLinks {
  readonly id: string;
  /** `null` of a first row; absent where it is not told. */
  readonly parent: string | null | undefined;
  /** Whether the row says something, so that a branch can end at it. */
  readonly isConversation: boolean;
  /** The API's message that the row is a part of. */
  readonly message: string | undefined;
  /** The row with the call that the row has a result of: the first of these that is there. */
  readonly resultOf: readonly string[];
  /** The number of the row with the call that the row was attached to. */
  readonly attachedTo: number | undefined;
}

/**
 * How the rows of a session hang together. Of each record a few numbers are kept, and of each row the
 * key of its id: sessions are long.
 */
export class RowTree {
  /** The number of the parent, by the number of the record; as the next three. */
  readonly #parents = Column.ofPlaces();
  readonly #messages = Column.ofPlaces();
  readonly #results = Column.ofPlaces();
  readonly #attached = Column.ofPlaces();
  readonly #numbers = new KeyTable();
  readonly #messageNumbers = new KeyTable();
  /** Of rows whose parent was not there before them: its id, and the row before in the file. */
  readonly #missing = new Map<number, { readonly parent: string | undefined; readonly before: number }>();
  #last = NONE;
  #head = NONE;

  /** The number of the next record. */
  get size(): number {
    return this.#parents.length;
  }

  /** Adds a record that is no row of the main conversation. */
  skip(): void {
    this.#parents.push(NONE);
    this.#messages.push(NONE);
    this.#results.push(NONE);
    this.#attached.push(NONE);
  }

  /**
   * Adds the next row.
   *
   * @returns whether it is new: one that is not stays as it was
   */
  add({ id, parent, isConversation, message, resultOf, attachedTo }: RowLinks): boolean {
    if (this.#numbers.has(id)) {
      this.skip();
      return false;
    }
    const number = this.size;
    const parentNumber = this.#numberOf(parent);
    this.#parents.push(parentNumber);
    if (parentNumber === NONE && parent !== null) this.#missing.set(number, { parent, before: this.#last });
    this.#messages.push(message === undefined ? NONE : this.#messageNumber(message));
    this.#results.push(this.#numberOf(resultOf.find((caller) => this.#numbers.has(caller))));
    this.#attached.push(attachedTo ?? NONE);
    this.#numbers.set(id, number);
    this.#last = number;
    if (isConversation) this.#head = number;
    return true;
  }

  /** Whether two records are parts of one message of the API, or one record. */
  isSameMessage(number: number, other: number): boolean {
    const message = this.#messages.at(number);
    return number === other || (message !== NONE && message === this.#messages.at(other));
  }

  #numberOf(id: string | null | undefined): number {
    return (typeof id === "string" ? this.#numbers.get(id) : undefined) ?? NONE;
  }

  #messageNumber(message: string): number {
    const number = this.#messageNumbers.get(message) ?? this.#messageNumbers.size;
    this.#messageNumbers.set(message, number);
    return number;
  }

  /**
   * Which records are on the branch that ends at a row, as they were added until now.
   *
   * A session that nobody has open ends at the newest row that says something: a new branch begins
   * with a row, and the file's own checkpoints of the head run now ahead of the rows, now behind.
   *
   * @param head its id; `null` for the branch without any row
   */
  branch(head: string | null | undefined): (record: number) => boolean {
    if (head === null) return () => false;
    const known = this.#numberOf(head);
    const isWalked = this.#walk(known === NONE ? this.#head : known);
    const isBeside = this.#beside(isWalked);
    return (record) => isWalked[record] === 1 || isBeside[record] === 1;
  }

  /** From a row to its parent, and on; a row is walked once, so that a circle ends. */
  #walk(head: number): Uint8Array {
    const isWalked = new Uint8Array(this.size);
    for (let number = head; number !== NONE && isWalked[number] === 0; number = this.#parentOf(number)) {
      isWalked[number] = 1;
    }
    return isWalked;
  }

  /** The parent of a row. Where that was lost with a damaged line, the row before in the file is the best that is known. */
  #parentOf(number: number): number {
    const missing = this.#missing.get(number);
    if (missing === undefined) return this.#parents.at(number);
    return missing.parent === undefined ? missing.before : (this.#numbers.get(missing.parent) ?? missing.before);
  }

  /**
   * What belongs to a branch beside its line. Calls that are made together hang in a line, each with
   * its result beside it, and only one of these is what the next row hangs at; what a hook adds
   * before a call, or behind such a result, hangs there as well.
   */
  #beside(isWalked: Uint8Array): Uint8Array {
    const isBeside = new Uint8Array(this.size);
    const isActive = (number: number): boolean => isWalked[number] === 1 || isBeside[number] === 1;
    const isWalkedMessage = new Uint8Array(this.#messageNumbers.size);
    for (let number = 0; number < this.size; number++) {
      const message = this.#messages.at(number);
      if (message !== NONE && isWalked[number] === 1) isWalkedMessage[message] = 1;
    }
    for (let number = 0; number < this.size; number++) {
      const message = this.#messages.at(number);
      if (message !== NONE && isWalkedMessage[message] === 1) isBeside[number] = 1;
    }
    for (let number = 0; number < this.size; number++) {
      const caller = this.#results.at(number);
      const call = this.#attached.at(number);
      const parent = this.#parents.at(number);
      if (caller !== NONE && isActive(caller)) isBeside[number] = 1;
      // Behind a row that was walked, an attachment may be the beginning of a branch that was left.
      else if (call !== NONE && isActive(call) && (parent === call || this.#isOnlyBeside(parent, isWalked, isBeside))) {
        isBeside[number] = 1;
      }
    }
    return isBeside;
  }

  #isOnlyBeside(number: number, isWalked: Uint8Array, isBeside: Uint8Array): boolean {
    return number !== NONE && isWalked[number] === 0 && isBeside[number] === 1;
  }
}
