import type { Agent } from "@deepseek-ai/dsh-agent";
import { type Marker, markerOf, type MessageSource, type ResetBy, type SessionEvent } from "./marker.ts";

type Session = Agent["session"];

/** The window that the model sees: a pure function of the session. */
export interface CurrentWindow {
  /** The window's name, which no other window of the session has. */
  readonly id: string;
  /** Whether this session's own boot stands in it. */
  readonly hasBoot: boolean;
  /** Who had the window before it emptied; none in the first one. */
  readonly resetBy: ResetBy | undefined;
  /** Whether anybody has said anything in it. */
  readonly isUsed: boolean;
  /** Fingerprints of what was said in it already. */
  readonly said: readonly string[];
  /** The last close-out that was not taken back, and whose it is. */
  readonly closeOut: CloseOut | undefined;
}

/** The words that open the last turn of a window. */
export interface CloseOut {
  readonly seq: number;
  readonly by: "person" | "budget";
}

/** Looks at what the model sees of a session. */
export function currentWindow(session: Session): CurrentWindow {
  const { events } = session;
  const nodes = session.surface.nodes.map((seq) => events[seq]);
  const own = nodes.flatMap((event) => {
    const marker = markerOf(event);
    return marker?.session === session.id && event !== undefined ? [{ marker, seq: event.seq }] : [];
  });
  const head = own.map(({ marker }) => marker).findLast(isHead);
  return {
    id: windowId(session.id, checkpoints(events) + 1),
    hasBoot: head?.what === "boot",
    resetBy: head?.by,
    isUsed: nodes.some((event) => isPersons(event) || event?.type === "assistant/message"),
    said: own.flatMap(({ marker }) =>
      "fingerprint" in marker && marker.fingerprint !== undefined ? [marker.fingerprint] : [],
    ),
    closeOut: closeOutOf(own),
  };
}

/** The name of the window that a reset would begin. */
export function nextWindowId({ id, events }: Session): string {
  return windowId(id, checkpoints(events) + 2);
}

function windowId(session: string, number: number): string {
  return `${session}:${number}`;
}

/** How often the session was compacted, by whomever. */
function checkpoints(events: readonly SessionEvent[]): number {
  return events.filter(isCheckpoint).length;
}

/** Whether an event is what a compaction put in the place of others. */
export function isCheckpoint(event: SessionEvent | undefined): boolean {
  if (event?.type !== "user/message" || event.surfaceOp === "append") return false;
  const { source } = event.data;
  return source.kind === "plugin" && source.plugin === "compact";
}

/**
 * Whether an event is what a person has said, or whoever stands in a person's place: the parent of a
 * subagent, or another agent. What the host puts in beside that says what it is by its form.
 */
export function isPersons(event: SessionEvent | undefined): event is Extract<SessionEvent, { type: "user/message" }> {
  return event?.type === "user/message" && isPersonsSource(event.data.source);
}

/** The same of where a message is from. */
export function isPersonsSource(source: MessageSource): boolean {
  if (source.kind === "plugin") return false;
  return !("form" in source) || source.form === undefined || source.form === "relay";
}

function isHead(marker: Marker): marker is Extract<Marker, { what: "boot" | "emptied" }> {
  return marker.what === "boot" || marker.what === "emptied";
}

function closeOutOf(own: readonly { readonly marker: Marker; readonly seq: number }[]): CloseOut | undefined {
  const last = own.findLast(({ marker: { what } }) => what === "close-out" || what === "withdrawn");
  return last?.marker.what === "close-out" ? { seq: last.seq, by: last.marker.by } : undefined;
}
