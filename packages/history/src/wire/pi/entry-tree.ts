import { KeyTable } from "../../key-table.ts";

/** In place of a parent's number: of a record without an id, which is on every branch. */
const NO_ID = -1;
/** Of an entry without a parent before it. */
const NO_PARENT = -2;
/** Of an entry that has been there before, and is on no branch. */
const REPEATED = -3;

/**
 * How the entries of a session hang together. Of each record a number is kept, and of each entry the
 * key of its id: sessions are long.
 */
export class EntryTree {
  /** The number of the parent, by the number of the record. */
  readonly #parents: number[] = [];
  readonly #numbers = new KeyTable();
  /** Of entries whose parent was not there before them: its id, and the entry before in the file. */
  readonly #missing = new Map<number, { readonly parent: string; readonly before: number | undefined }>();
  #last: number | undefined;

  /**
   * Adds the next record.
   *
   * @param id `undefined` for a record that is no entry, and in a file of version 1, which is linear
   * @returns whether it is new
   */
  add(id: string | undefined, parentId: string | undefined): boolean {
    const number = this.#parents.length;
    const before = id === undefined ? undefined : this.#numbers.get(id);
    if (id === undefined) {
      this.#parents.push(NO_ID);
    } else if (before === undefined) {
      this.#parents.push(this.#parentNumber(number, parentId));
      this.#numbers.set(id, number);
      this.#last = number;
    } else {
      this.#parents.push(REPEATED);
      this.#last = before;
    }
    return before === undefined;
  }

  #parentNumber(number: number, parentId: string | undefined): number {
    if (parentId === undefined) return NO_PARENT;
    const parent = this.#numbers.get(parentId);
    if (parent === undefined) this.#missing.set(number, { parent: parentId, before: this.#last });
    return parent ?? NO_PARENT;
  }

  /**
   * Which records are on the branch that ends at an entry, as they were added until now. A file's
   * branch is the one of its last entry, of whatever type, as Pi opens it.
   *
   * @param head its id; `null` for the branch without any entry
   */
  branch(head: string | null | undefined): (record: number) => boolean {
    if (head === null) return () => false;
    const isActive = new Uint8Array(this.#parents.length);
    let number = (head === undefined ? undefined : this.#numbers.get(head)) ?? this.#last;
    while (number !== undefined && isActive[number] === 0) {
      isActive[number] = 1;
      number = this.#parentOf(number);
    }
    return (record) => isActive[record] === 1 || this.#parents[record] === NO_ID;
  }

  /** The parent of an entry. Where that was lost with a damaged line, the entry before in the file is the best that is known. */
  #parentOf(number: number): number | undefined {
    const parent = this.#parents[number];
    if (parent !== undefined && parent >= 0) return parent;
    const missing = this.#missing.get(number);
    return missing === undefined ? undefined : (this.#numbers.get(missing.parent) ?? missing.before);
  }
}
