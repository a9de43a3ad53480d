import type { Digest, Disk } from "./disk.ts";
import type { Handle } from "./handle.ts";
import { type Owner, requireOwner } from "./owner.ts";
import { isLabelled, labelledId, labelledIds, parseReference, type ResultId, type Selection } from "./reference.ts";
import { Refusal } from "./refusal.ts";

/** A result to be issued. */
export interface Issue {
  readonly owner: Owner;
  /** Which tool, or which form of its answer: told where the result cannot be used. */
  readonly kind: string;
  /** The answer itself. It is digested, not kept. */
  readonly body: string;
  /** Whether the tool succeeded. Nothing can be done with the result of one that did not. */
  readonly ok: boolean;
  /** The ranges that the result stands for. */
  readonly handle?: Handle | undefined;
  /** The file or the live thing that it names, where it stands for no ranges. */
  readonly resource?: string | undefined;
  /** Writes the first line, with {@link labelLine}. */
  readonly label: (id: ResultId) => string;
}

/** What an input of a tool stands for. */
export type Resolved =
  | { readonly as: "path"; readonly path: string }
  | { readonly as: "source"; readonly id: ResultId; readonly handle: Handle; readonly selection?: Selection }
  | { readonly as: "resource"; readonly id: ResultId; readonly kind: string; readonly resource: string };

interface Entry {
  readonly owner: Owner;
  readonly kind: string;
  digest: Digest;
  readonly handle: Handle | undefined;
  readonly resource: string | undefined;
  readonly consumable: boolean;
  /** Once sealed or used, the text is what it is. */
  settled: boolean;
}

const READ_AGAIN = "read or search again";

/** The issued results: ids, whose they are, a digest of each text, and what each stands for. No text is kept. */
export class ResultRegistry {
  readonly #disk: Disk;
  readonly #limit: number;
  // Not `#`: a test walks all that is kept.
  private readonly entries = new Map<string, Entry>();
  private readonly expired = new Set<string>();

  constructor(disk: Disk, limit: number) {
    this.#disk = disk;
    this.#limit = limit;
  }

  /** How many results can be resolved. */
  get size(): number {
    return this.entries.size;
  }

  /**
   * Issues a result under a new id: its label, a line end, and its body. The oldest leaves where there
   * are too many; its id is remembered as expired.
   *
   * @throws Refusal `ill_formed_text` where the body holds a lone surrogate
   */
  issue({ owner, kind, body, ok, handle, resource, label }: Issue): { readonly id: ResultId; readonly text: string } {
    const id = crypto.randomUUID() as ResultId;
    const line = label(id);
    if (labelledId(line) !== id || !isLabelled(line) || line.includes("\n")) {
      throw new TypeError("a label is one line, and holds the id that it was made for");
    }
    const text = `${line}\n${body}`;
    if (!text.isWellFormed()) {
      throw new Refusal("ill_formed_text", "the result holds half a character", "ask for another range");
    }
    for (const oldest of this.entries.keys()) {
      if (this.entries.size < this.#limit) break;
      this.#expire(oldest);
    }
    this.entries.set(id, {
      owner,
      kind,
      digest: this.#disk.digest(text),
      handle,
      resource,
      consumable: ok && (handle !== undefined || resource !== undefined),
      settled: false,
    });
    return { id, text };
  }

  /**
   * Says what text was delivered at last, where others had a hand in it after it was issued.
   *
   * @throws Error the second time, and once the result has been used
   */
  seal(id: ResultId, delivered: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    if (entry.settled) throw new Error("a result is sealed once, before its first use");
    entry.settled = true;
    entry.digest = this.#disk.digest(delivered);
  }

  /**
   * What an input stands for: a whole answer, unit for unit; a reference; or else a path, from which
   * a leading `@` is taken. Only the first line of an answer is looked at for its id. Touches no file.
   *
   * @throws Refusal `unknown_reference`, `retired_reference`, `foreign_session`, `foreign_worktree`,
   * `altered_result`, `not_consumable`, `ill_formed_text`
   */
  resolve(input: string, owner: Owner): Resolved {
    // Encoded, a lone surrogate is no other than U+FFFD, and would digest alike.
    if (!input.isWellFormed()) {
      throw isLabelled(input)
        ? altered()
        : new Refusal("ill_formed_text", "the path holds half a character", "give the path as it is");
    }
    if (isLabelled(input)) {
      const id = labelledId(input);
      if (id === undefined) throw altered();
      const entry = this.#entry(id, owner);
      if (this.#disk.digest(input) !== entry.digest) throw altered();
      return use(id as ResultId, entry);
    }
    const reference = parseReference(input);
    if (reference === "malformed") {
      throw new Refusal(
        "unknown_reference",
        "the input begins as a reference and is none",
        "write UUID, UUID#1 or UUID@1-2, or ./ before the name of a file",
      );
    }
    if (reference === undefined) return { as: "path", path: input.startsWith("@") ? input.slice(1) : input };
    const entry = this.#entry(reference.id, owner);
    return use(reference.id, entry, reference.selection);
  }

  /** The id of the first issued result whose label stands anywhere in a text: such a text must not be written to a file. */
  containsLabel(text: string): ResultId | undefined {
    return labelledIds(text).find((id) => this.entries.has(id) || this.expired.has(id)) as ResultId | undefined;
  }

  /** Forgets everything: every id issued so far is unknown. */
  clear(): void {
    this.entries.clear();
    this.expired.clear();
  }

  #expire(id: string): void {
    this.entries.delete(id);
    this.expired.add(id);
    for (const oldest of this.expired) {
      if (this.expired.size <= this.#limit) break;
      this.expired.delete(oldest);
    }
  }

  #entry(id: string, owner: Owner): Entry {
    const entry = this.entries.get(id);
    if (entry !== undefined) {
      requireOwner(entry.owner, owner);
      return entry;
    }
    throw this.expired.has(id)
      ? new Refusal("retired_reference", `${id} has expired: many results have been issued since`, READ_AGAIN)
      : new Refusal("unknown_reference", `no result ${id.slice(0, 36)} was issued in this session`, READ_AGAIN);
  }
}

function altered(): Refusal {
  return new Refusal(
    "altered_result",
    "the text is not the result as it was issued",
    "pass it unchanged, or the UUID of its first line alone",
  );
}

function use(id: ResultId, entry: Entry, selection?: Selection): Resolved {
  entry.settled = true;
  const { handle, resource, kind, consumable } = entry;
  if (!consumable) {
    throw new Refusal("not_consumable", `the result ${id} (${kind}) names nothing to work on`, READ_AGAIN);
  }
  if (handle !== undefined) return { as: "source", id, handle, ...(selection === undefined ? {} : { selection }) };
  if (selection !== undefined) {
    throw new Refusal("wrong_kind", `the result ${id} (${kind}) has no items and no lines`, "pass its UUID alone");
  }
  return { as: "resource", id, kind, resource: resource ?? "" };
}
