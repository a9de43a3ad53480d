import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/** What Pi keeps of a session. */
export type SessionEntry = ReturnType<ExtensionContext["sessionManager"]["getBranch"]>[number];

/** The type under which our own messages and entries stand in a session. A boot that no message can be made of in time is an entry. */
export const BOOT_TYPE = "notesoup-boot";
export const NOTICE_TYPE = "notesoup-notice";
export const SWITCH_TYPE = "notesoup-switch";
/** What a person said while a window was being closed, and is said again where the model sees it. */
export const CARRIED_TYPE = "notesoup-carried";

/** What the compaction that ends a window says of the reset. */
export interface ResetDetails {
  readonly kind: "notesoup-reset";
  /** The window that begins. */
  readonly window: string;
  /** Who asked for it. */
  readonly by: ResetBy;
  /** The compaction's own text is the boot: no message follows that is. */
  readonly isBoot: boolean;
  /** Ids of what a person said that was kept from the model: it is for the window that begins. */
  readonly carries?: readonly string[];
}

/** Who asks for a reset: the model by its tool, a person by a command, the budget at its last line, or Pi, which would compact. */
export type ResetBy = "model" | "person" | "budget" | "host";

/** What a boot message says of itself. */
export interface BootDetails {
  readonly session: string;
  readonly window: string;
}

/** What a boot that is an entry holds. */
export interface BootEntry extends BootDetails {
  readonly content: string;
}

/** What words that are said again say of themselves. */
export interface CarriedDetails {
  /** The id of the entry in which they were said. */
  readonly of: string;
}

/** What a notice says of itself, so that it is not said again. */
export interface NoticeDetails {
  readonly fingerprint: string;
}

/** The window at the end of the active branch. */
export interface CurrentWindow {
  /** Counted from 1 along the branch. */
  readonly number: number;
  /** The window's name, which no other window of the session has. */
  readonly id: string;
  /** The reset with which it began; none in the first window, and in one that Pi began by a compaction of its own. */
  readonly reset: ResetDetails | undefined;
  /** Whether this session's own boot stands in it. */
  readonly hasBoot: boolean;
  /** The text of its boot where that is an entry, and no message: each request is given it. */
  readonly bootEntry: string | undefined;
  /** Ids of what its reset carries, as far as it is not said again in a message. */
  readonly unsaid: readonly string[];
  /** Whether anybody has said anything in it. */
  readonly isUsed: boolean;
  /** Fingerprints of what was said in it already, and is still there. */
  readonly said: ReadonlySet<string>;
  /** Tokens that its first answer was made from; `null` before it. */
  readonly firstFigure: number | null;
}

/** The window in which the branch ends: a pure function of its entries. */
export function currentWindow(branch: readonly SessionEntry[], session: string): CurrentWindow {
  const starts = branch.flatMap((entry, index) => (isWindowStart(entry) ? [index] : []));
  const start = starts.at(-1);
  const first = start === undefined ? undefined : branch[start];
  const entries = start === undefined ? branch : branch.slice(start + 1);
  const reset = first?.type === "compaction" ? resetDetails(first.details) : undefined;
  const number = starts.length + 1;
  const kept = keptOf(entries);
  return {
    number,
    id: reset?.window ?? windowId(session, number),
    reset,
    hasBoot: (kept === entries && isOwnBoot(reset, session)) || kept.some((entry) => isBootOf(entry, session)),
    bootEntry: kept.flatMap((entry) => bootEntryOf(entry, session) ?? []).at(-1),
    unsaid: kept === entries && start !== undefined ? unsaidOf(branch, start) : [],
    isUsed: entries.some((entry) => entry.type === "message" && entry.message.role !== "system"),
    said: new Set(kept.flatMap(fingerprintsOf)),
    firstFigure: firstFigureOf(entries),
  };
}

/** What of a window the last compaction in it has kept, if there is one: one of Pi's own, which keeps something. */
function keptOf(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const last = entries.findLastIndex(({ type }) => type === "compaction");
  const compaction = entries[last];
  if (compaction?.type !== "compaction") return entries;
  const first = entries.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  return entries.slice(first === -1 ? last : first);
}

/**
 * What the window that begins at an index of the branch is to hear, and has no message of: a crash may
 * have come between the two, Pi's own compactions have no messages behind them, and right behind a
 * reset somebody else may have emptied the window once more.
 */
function unsaidOf(branch: readonly SessionEntry[], start: number): readonly string[] {
  const answered = branch
    .slice(0, start)
    .findLastIndex((entry) => entry.type === "message" && entry.message.role === "assistant");
  const carried = branch
    .slice(answered + 1, start + 1)
    .flatMap((entry) => (entry.type === "compaction" ? (resetDetails(entry.details)?.carries ?? []) : []));
  const said = branch
    .slice(start + 1)
    .map((entry) =>
      entry.type === "custom_message" && entry.customType === CARRIED_TYPE ? fieldOf(entry.details, "of") : undefined,
    );
  return carried.filter((id) => !said.includes(id));
}

/** Tokens that the first answer was made from: the head of the window, and what was said first. */
function firstFigureOf(entries: readonly SessionEntry[]): number | null {
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const total = fieldOf(entry.message.usage, "totalTokens");
    if (typeof total === "number" && total > 0) return total;
  }
  return null;
}

/** The name of a session's window, or, without its number, how the names of all of them begin. */
function windowId(session: string, number: number | ""): string {
  return `${session}:${number}`;
}

/** The name of the window that a reset would begin: counted over all branches, so that no other has it. */
export function nextWindowId(entries: readonly SessionEntry[], session: string): string {
  return windowId(session, entries.filter(isWindowStart).length + 2);
}

/** Whether a window begins with an entry: a compaction that keeps nothing, whoever made it. */
export function isWindowStart(entry: SessionEntry): boolean {
  return entry.type === "compaction" && entry.firstKeptEntryId === entry.id;
}

/** Whether Pi writes a session to a file: not before a person or the model has said something in it. */
export function isKept(entries: readonly SessionEntry[]): boolean {
  return entries.some((entry) => entry.type === "message" && ["user", "assistant"].includes(entry.message.role));
}

/** Whether the reset that begins a window was made on the branch. */
export function hasReset(branch: readonly SessionEntry[], window: string): boolean {
  return branch.some((entry) => entry.type === "compaction" && resetDetails(entry.details)?.window === window);
}

/** Whether a compaction is the last thing that anybody knows: nothing was answered since. */
export function isJustCompacted(branch: readonly SessionEntry[]): boolean {
  const last = branch.findLast(
    (entry) => entry.type === "compaction" || (entry.type === "message" && entry.message.role === "assistant"),
  );
  return last?.type === "compaction";
}

/** A fork brings the resets of the session that it comes from, whose boots are of that one. */
function isOwnBoot(reset: ResetDetails | undefined, session: string): boolean {
  return reset?.isBoot === true && reset.window.startsWith(windowId(session, ""));
}

function isBootOf(entry: SessionEntry, session: string): boolean {
  if (entry.type === "custom") return bootEntryOf(entry, session) !== undefined;
  if (entry.type !== "custom_message" || entry.customType !== BOOT_TYPE) return false;
  return fieldOf(entry.details, "session") === session;
}

/** The text of a session's boot that is an entry, and no message. */
function bootEntryOf(entry: SessionEntry, session: string): string | undefined {
  if (entry.type !== "custom" || entry.customType !== BOOT_TYPE) return undefined;
  const content = fieldOf(entry.data, "content");
  return fieldOf(entry.data, "session") === session && typeof content === "string" ? content : undefined;
}

function fingerprintsOf(entry: SessionEntry): string[] {
  if (entry.type !== "custom_message" || entry.customType !== NOTICE_TYPE) return [];
  const fingerprint = fieldOf(entry.details, "fingerprint");
  return typeof fingerprint === "string" ? [fingerprint] : [];
}

function resetDetails(details: unknown): ResetDetails | undefined {
  return fieldOf(details, "kind") === "notesoup-reset" ? (details as ResetDetails) : undefined;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined;
}

/** The id of the answer by whose figure Pi goes: the last one that has one, else the last that there is. */
export function countedAnswer(branch: readonly SessionEntry[]): string | undefined {
  const answers = branch.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [{ id: entry.id, ...entry.message }] : [],
  );
  const counted = answers.findLast(
    ({ stopReason, usage }) =>
      stopReason !== "aborted" && stopReason !== "error" && Number(fieldOf(usage, "totalTokens")) > 0,
  );
  return (counted ?? answers.at(-1))?.id;
}

/** Whether a person has switched notesoup off, or on again, on this branch; `undefined` where nobody has. */
export function switchOf(branch: readonly SessionEntry[]): boolean | undefined {
  for (const entry of branch.toReversed()) {
    if (entry.type !== "custom" || entry.customType !== SWITCH_TYPE) continue;
    const isOn = fieldOf(entry.data, "on");
    if (typeof isOn === "boolean") return isOn;
  }
  return undefined;
}
