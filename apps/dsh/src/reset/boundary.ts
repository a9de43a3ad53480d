import { randomUUID } from "node:crypto";
import type { Agent } from "@deepseek-ai/dsh-agent";
import {
  compactCheckpointSource,
  CompactionId,
  type CompactionResult,
  toolPairingBalancedAfter,
} from "@deepseek-ai/dsh-compaction";
import { createUserMessage } from "@deepseek-ai/dsh-llm";
import { type Marker, type MessageSource, PLUGIN, type SessionEvent, sourceOf } from "../marker.ts";
import { isPersons } from "../window.ts";

type Session = Agent["session"];
/** The command of a person with which a compaction began. */
export type CommandId = NonNullable<CompactionResult["sourceCommandId"]>;

/** What ends a window and begins the next one. */
export interface Boundary {
  /** What stands in the place of all that was said. */
  readonly text: string;
  /** What the text says of itself. */
  readonly marker: Marker;
  /** The open turn; `null` between two turns. */
  readonly turn: number | null;
  readonly sourceCommandId?: CommandId | undefined;
  /** What a person said that is said again behind the text. */
  readonly carried: readonly Extract<SessionEvent, { type: "user/message" }>[];
}

/** Our compactions are told from others, where a crash has left the beginning of one alone, by their ids. */
const ID_PREFIX = `${PLUGIN}-`;

/** Whether a compaction was begun here. */
export function isOurs(compactionId: string): boolean {
  return compactionId.startsWith(ID_PREFIX);
}

/**
 * Puts the text in the place of all that the model sees. Everything is appended without a pause, so
 * that nothing can come between; what a crash leaves is the old window, or the new one without its
 * end mark.
 *
 * @param tokens what all that is replaced is said to have cost
 * @returns `null` where there is nothing to replace, and while a call of a tool has no result yet
 */
export function emptyWindow(session: Session, boundary: Boundary, tokens: number): CompactionResult | null {
  const nodes = [...session.surface.nodes];
  const [start] = nodes;
  const end = nodes.at(-1);
  if (start === undefined || end === undefined || !toolPairingBalancedAfter(session, end)) return null;
  const { text, marker, turn, sourceCommandId, carried } = boundary;
  const compactionId = CompactionId(`${ID_PREFIX}${randomUUID()}`);
  const life = { compactionId, ...(sourceCommandId !== undefined && { sourceCommandId }), turn };
  const config = session.requestHeader()?.config;
  const summary = [{ type: "text" as const, text }];
  const shadowed = { shadowedRange: { start, end }, shadowedSeqs: nodes, shadowedTokenCount: tokens };

  const first = session.append("compaction/start", life);
  const middle = session.append("compaction/summary", {
    compactionId,
    ...(sourceCommandId !== undefined && { sourceCommandId }),
    summary,
    ...shadowed,
    provider: config?.provider ?? PLUGIN,
    model: config?.model ?? PLUGIN,
  });
  const source = compactCheckpointSource(compactionId, sourceCommandId);
  session.append(
    "user/message",
    createUserMessage({
      content: summary,
      source: { ...source, notesoup: marker } as MessageSource,
    }),
    { surfaceOp: { op: "replace", start, end }, sourceEventSeqs: [first.seq, middle.seq, ...nodes] },
  );
  const last = session.append("compaction/end", life);
  for (const { seq, data } of carried) {
    const marked = sourceOf({ what: "carried", session: session.id, of: seq }, "relay", "what was asked");
    session.append("user/message", createUserMessage({ content: data.content, source: marked }), {
      surfaceOp: "append",
    });
  }
  return { ...life, startSeq: first.seq, summarySeq: middle.seq, endSeq: last.seq, summary, ...shadowed };
}

/** The turn that is open; `null` between two turns. */
export function openTurn({ events }: Session): number | null {
  const limit = events.findLast(({ type }) => type === "turn/start" || type === "turn/end");
  return limit?.type === "turn/start" ? limit.data.turn : null;
}

/** Bytes of what is said again, at the most: more would fill the new window with what has filled the old one. */
const CARRIED_MAX_BYTES = 8192;

/** What a person has asked for in the open turn, as far as the model sees it, and as far as it is short. */
export function asked(session: Session): Extract<SessionEvent, { type: "user/message" }>[] {
  const { events } = session;
  const begin = events.findLast(({ type }) => type === "turn/start")?.seq ?? 0;
  const said = session.surface.nodes
    .map((seq) => events[seq])
    .filter(isPersons)
    .filter(({ seq }) => seq > begin);
  const bytes = Buffer.byteLength(JSON.stringify(said.map(({ data }) => data.content)));
  return bytes <= CARRIED_MAX_BYTES ? said : [];
}
