import type { Fact, NestedSaying, Saying, SessionFacts } from "./fact.ts";
import type { NestedCalls, Role } from "./wire/wire.ts";

/**
 * How an execution stands: `pending`, a live turn has no result of it yet; `unfinished`, the turn is
 * over without one; `unpaired`, a result whose call is not on the branch, or has another one.
 */
export type ToolStatus = "ok" | "error" | "pending" | "unfinished" | "unpaired";

/** What is known of an execution beside its text. */
export interface ToolSummary {
  readonly tool: string;
  readonly status: ToolStatus;
  /** The host has cut the output. */
  readonly outputTruncated: boolean;
  /** Where the host keeps the whole output, if it told. */
  readonly fullOutputPath: string | undefined;
  /** How many nested calls the host has recorded, and whether it says that these are all; absent where it says nothing. */
  readonly nested: Omit<NestedCalls, "calls"> | undefined;
}

/** One addressable thing of a session's active branch. */
export interface SessionEvent {
  readonly seq: number;
  readonly role: Role;
  /** When it was recorded, in milliseconds since 1970; `null` where the record does not say. */
  readonly time: number | null;
  /** Of an execution. */
  readonly tool?: ToolSummary;
  /** A copy of what the parent session says. */
  readonly isCopy: boolean;
}

/** An event with the places where it was said. */
export interface PlacedEvent extends SessionEvent {
  /** Of words: their parts. Of an execution: none. */
  readonly message: readonly Saying[];
  readonly call: Fact | undefined;
  readonly result: Fact | undefined;
  readonly nested: readonly Saying[];
}

/** The events of a branch. */
export interface BranchEvents {
  /** Ascending by seq. */
  readonly events: readonly PlacedEvent[];
  /** Of a result that is part of its call's event: the seq of that, by the seq of its own slot. */
  readonly callOfResult: ReadonlyMap<number, number>;
}

/** An event in the making. */
interface Draft {
  readonly first: Fact;
  readonly message: Saying[];
  readonly call: Fact | undefined;
  result: Fact | undefined;
  readonly nested: Saying[];
  readonly nestedIds: Set<string>;
  readonly nestedEnds: Set<string>;
  isOver: boolean;
}

/** Calls of one id that have no result yet: those of the last record that made any. */
interface OpenCalls {
  readonly record: number;
  readonly drafts: Draft[];
}

/**
 * Pairs calls and results along a branch, and joins what belongs to one message. A call and its
 * result are one event at the call's seq; a second result for one call stands alone (History
 * identity, "A paired execution is addressed by its call seq").
 *
 * @param isActive whether a record, by its number, is on the branch
 * @param isLive whether the session is one in which somebody works right now
 */
export function eventsOf(
  { facts, additions, nested, turnEnds, windowStarts }: SessionFacts,
  isActive: (record: number) => boolean,
  isLive: boolean,
): BranchEvents {
  const drafts: Draft[] = [];
  const groups = new Map<string, Draft>();
  const open = new Map<string, OpenCalls>();
  const lastOf = new Map<string, Draft>();
  const orphans: NestedSaying[] = [];
  const callOfResult = new Map<number, number>();
  const ends = [...turnEnds, ...windowStarts].filter(isActive).toSorted((a, b) => a - b);
  let nextEnd = 0;
  let unsettled: Draft[] = [];
  const settle = (before: number): void => {
    for (const draft of unsettled) if (draft.first.record < before) draft.isOver = true;
    unsettled = unsettled.filter(({ isOver }) => !isOver);
  };

  let nextNested = 0;
  // A nested call is one of the execution that had its id until then; where that call was lost, of its result.
  const attachNested = (before: number): void => {
    for (
      let saying = nested[nextNested];
      saying !== undefined && saying.record < before;
      saying = nested[++nextNested]
    ) {
      if (!isActive(saying.record)) continue;
      const draft = lastOf.get(saying.callId);
      if (draft !== undefined) attach(draft, saying);
      else orphans.push(saying);
    }
  };

  for (const fact of facts) {
    if (!isActive(fact.record)) continue;
    attachNested(fact.record);
    for (let end = ends[nextEnd]; end !== undefined && end <= fact.record; end = ends[++nextEnd]) settle(end);
    if (fact.kind === "result") {
      const call = takeOpen(open, fact.callId);
      if (call !== undefined) {
        call.result = fact;
        callOfResult.set(fact.seq, call.first.seq);
        continue;
      }
    }
    const draft = draftOf(fact);
    drafts.push(draft);
    if (fact.kind === "result" && fact.callId !== undefined && !lastOf.has(fact.callId)) {
      for (const saying of orphans) if (saying.callId === fact.callId) attach(draft, saying);
      lastOf.set(fact.callId, draft);
    }
    if (fact.kind === "message") {
      if (fact.group !== undefined) groups.set(fact.group, draft);
      // The model was asked again, or a person spoke: whoever has called before does not wait any more.
      if (fact.role !== "context") settle(fact.record);
    }
    if (fact.kind === "call" && fact.callId !== undefined) {
      const others = open.get(fact.callId);
      if (others?.record === fact.record) others.drafts.push(draft);
      // An id that is used again is another call's: who had it before gets nothing any more.
      else open.set(fact.callId, { record: fact.record, drafts: [draft] });
      lastOf.set(fact.callId, draft);
      unsettled.push(draft);
    }
  }
  attachNested(Infinity);
  for (; nextEnd < ends.length; nextEnd++) settle(ends[nextEnd] ?? 0);
  for (const addition of additions) if (isActive(addition.record)) groups.get(addition.group)?.message.push(addition);
  return { events: drafts.map((draft) => eventOf(draft, isLive)), callOfResult };
}

function attach(draft: Draft, saying: NestedSaying): void {
  draft.nested.push(saying);
  draft.nestedIds.add(saying.id);
  if (saying.isEnd) draft.nestedEnds.add(saying.id);
}

function takeOpen(open: Map<string, OpenCalls>, callId: string | undefined): Draft | undefined {
  const drafts = callId === undefined ? undefined : open.get(callId)?.drafts;
  return drafts?.shift();
}

function draftOf(fact: Fact): Draft {
  return {
    first: fact,
    message: fact.kind === "message" ? [fact] : [],
    call: fact.kind === "call" ? fact : undefined,
    result: fact.kind === "result" ? fact : undefined,
    nested: [],
    nestedIds: new Set(),
    nestedEnds: new Set(),
    isOver: false,
  };
}

function eventOf(draft: Draft, isLive: boolean): PlacedEvent {
  const { first, message, call, result, nested } = draft;
  const { seq, role, time, isCopy } = first;
  const tool = role === "tool" ? { tool: summaryOf(draft, isLive) } : {};
  return { seq, role, time, isCopy, ...tool, message, call, result, nested };
}

function summaryOf({ call, result, nestedIds, nestedEnds, isOver }: Draft, isLive: boolean): ToolSummary {
  return {
    // Well-formed, as the document is.
    tool: (call?.tool ?? result?.tool ?? "unknown tool").toWellFormed(),
    status: statusOf(call, result, isOver || !isLive),
    outputTruncated: result?.outputTruncated ?? false,
    fullOutputPath: result?.fullOutputPath?.toWellFormed(),
    nested:
      result?.nested ??
      (nestedIds.size === 0 ? undefined : { callCount: nestedIds.size, complete: nestedEnds.size === nestedIds.size }),
  };
}

function statusOf(call: Fact | undefined, result: Fact | undefined, isOver: boolean): ToolStatus {
  if (call === undefined) return "unpaired";
  if (result === undefined) return isOver ? "unfinished" : "pending";
  return result.isError === true ? "error" : "ok";
}
