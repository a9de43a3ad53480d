import type { JsonObject } from "../json.ts";

/** A program whose sessions can be read. */
export type Harness = "pi" | "claude" | "dsh";

/**
 * Who an event is from: `user`, a person's prompt; `assistant`, the model's words; `tool`, an
 * execution; `context`, what a host or an extension put there.
 */
export type Role = "user" | "assistant" | "tool" | "context";

/**
 * The format of one harness's sessions: what single records say, and how they hang together. It knows
 * nothing of files, lines or seqs, and takes whatever a crashed or newer host may have left: what it
 * does not know it skips, and it never throws but where this is said.
 */
export interface Wire {
  readonly harness: Harness;
  /** Begins to read a session. */
  begin(): WireReading;
  /**
   * What a record says by itself, in order: a pure function, asked again whenever a text is wanted.
   * Its result has the same length whatever was read before.
   */
  items(record: JsonObject): readonly WireItem[];
}

/** A session as it is read, record by record, in the order of appending. */
export interface WireReading {
  /**
   * Takes the next record. Texts are not asked for: an item that is made here has to cost next to
   * nothing.
   *
   * @throws HistoryError `session_unreadable`, where the record says that the format is one that
   * cannot be known
   */
  take(record: JsonObject): WireRecord;
  /** What the session says of itself, as far as it was read. */
  readonly header: SessionHeader;
  /**
   * Which of the records that were taken, counted from 0, are on the active branch.
   *
   * @param head the record at which the branch ends, by its id; `null` is the branch before the
   * first record; absent, or not known: what the format says of a session that nobody has open
   */
  branch(head?: string | null): (record: number) => boolean;
}

/** What a session says of itself. */
export interface SessionHeader {
  readonly id?: string | undefined;
  /** The folder in which it was begun. */
  readonly cwd?: string | undefined;
  /** When it was begun, in milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  /** The session from which it was forked or cloned, as it is named there: an id, or a path. */
  readonly parent?: string | undefined;
}

/** What a record comes to. */
export interface WireRecord {
  /**
   * The items of the record that are facts of the session, in the places that `items` gives them;
   * `undefined` for one that an earlier record has said already.
   */
  readonly items: readonly (WireItem | undefined)[];
  /** The context is emptied here: the record's own items are the first of a new window. */
  readonly startsWindow?: boolean;
  /** Nothing that was called before this will still get a result. */
  readonly endsTurn?: boolean;
  /** A copy of a record of the parent session, with the parent's id and time. */
  readonly isCopy?: boolean;
}

/** One thing that a record says. */
export type WireItem = WireMessage | WireCall | WireResult | WireNested;

/** Words. */
export interface WireMessage {
  readonly kind: "message";
  readonly role: "user" | "assistant" | "context";
  /** Milliseconds since 1970; `null` where the record does not say. */
  readonly time: number | null;
  /**
   * The name of a message that goes over several records: its later items belong to the event of its
   * first one, and take no seq of their own. A text that the message has already is not said again.
   */
  readonly group?: string | undefined;
  /** May be ill-formed: the document mends it. */
  text(): string;
}

/** A tool is called. */
export interface WireCall {
  readonly kind: "call";
  readonly time: number | null;
  readonly callId: string;
  readonly tool: string;
  /** The whole arguments as JSON; `undefined` where they are not recorded. */
  args(): string | undefined;
}

/** What a call came to. */
export interface WireResult {
  readonly kind: "result";
  readonly time: number | null;
  readonly callId: string;
  /** The tool's name, where the record has it. */
  readonly tool?: string | undefined;
  readonly isError: boolean;
  /** The host has cut the output. */
  readonly outputTruncated?: boolean | undefined;
  /** Where the host keeps the whole output. */
  readonly fullOutputPath?: string | undefined;
  output(): string;
  /** The calls that the tool made in its turn, as they were recorded; absent where nothing is said of any. */
  readonly nested?: NestedCalls | undefined;
}

/** A call that another one made, recorded by itself and not in a result. It takes no seq. */
export interface WireNested {
  readonly kind: "nested";
  /** The id of the call that a person or the model made. */
  readonly callId: string;
  /** Of several of one id, each tells what is new. */
  readonly call: NestedCall;
  /** Whether this is the record of its end. */
  readonly isEnd: boolean;
}

/** Calls that a tool made, as the host has recorded them. */
export interface NestedCalls {
  /** How many records there are: as recorded. */
  readonly callCount: number;
  /** Whether the host says that these are all, each with all that there was to say. */
  readonly complete: boolean;
  calls(): readonly NestedCall[];
}

/** A nested call. Its result is never part of it. */
export interface NestedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON; `undefined` where the host has left them out. */
  readonly args?: string | undefined;
  /** How many bytes the arguments had that the host left out. */
  readonly argumentsBytes?: number | undefined;
  readonly status: "ok" | "error" | "unfinished";
  readonly durationMs?: number | undefined;
  readonly error?: string | undefined;
}
