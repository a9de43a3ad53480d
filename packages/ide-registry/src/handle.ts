import type { Digest, SourceKey } from "./disk.ts";
import type { LineEnding } from "./encoding.ts";
import type { Owner } from "./owner.ts";
import type { Refusal } from "./refusal.ts";
import type { Span, Utf16 } from "./span.ts";

/** A file's text as it was at one moment. The text itself is not kept: the file holds it. */
export interface Snapshot {
  readonly key: SourceKey;
  /** The absolute name by which the file was found. If the name comes to lead elsewhere, the snapshot is dead. */
  readonly name: string;
  readonly digest: Digest;
  /** Counts what was seen to happen to the file. A snapshot of an earlier generation is dead for good. */
  readonly generation: number;
  readonly bom: boolean;
  readonly eol: LineEnding;
  /** Of the text, without a byte order mark. */
  readonly length: Utf16;
}

/** Ranges of one file. */
export interface Part {
  readonly snapshot: Snapshot;
  readonly spans: readonly Span[];
}

/** Ranges of one file, with the text that they are of. */
export interface TextPart extends Part {
  readonly text: string;
}

/** One row of a result. */
export interface Item {
  /** Which part it is of, counted from 0. */
  readonly part: number;
  readonly span: Span;
  /** Which ranges of the input it came from, counted from 0. */
  readonly from?: readonly number[];
  readonly captures?: Readonly<Record<string, readonly Span[]>>;
}

/** `pending` becomes `live` or `rejected`, and `live` becomes `retired`; there is no way back. */
export type HandleState = "pending" | "live" | "retired" | "rejected";

/** Stands for ranges of files at one moment. What it holds is known to its store alone. */
export interface Handle {
  readonly kind: "handle";
}

/** What a handle holds. Nothing in it is the text of a file. */
export class HeldRanges implements Handle {
  readonly kind = "handle";
  readonly owner: Owner;
  readonly items: readonly Item[];
  readonly complete: boolean;
  parts: readonly Part[];
  settled: "pending" | "live" | "rejected";
  /** Why the edit that it stood for was not saved. */
  reason: Refusal | undefined;

  constructor(
    owner: Owner,
    settled: "pending" | "live",
    parts: readonly Part[],
    { items = [], complete }: { readonly items?: readonly Item[]; readonly complete: boolean },
  ) {
    this.owner = owner;
    this.settled = settled;
    this.parts = parts;
    this.items = items;
    this.complete = complete;
  }

  /** The edit is saved, and this is where its text has come to lie. */
  confirm(parts: readonly Part[]): void {
    if (this.settled !== "pending") throw new Error("an edit is confirmed once");
    this.settled = "live";
    this.parts = parts;
  }

  reject(reason: Refusal): void {
    if (this.settled !== "pending") throw new Error("only a pending edit can be rejected");
    this.settled = "rejected";
    this.reason = reason;
  }
}
