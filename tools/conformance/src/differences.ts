/** What of a result is of one run alone: by it, what stands there is told apart. */
export interface Run {
  /** What is older was there before the host began, in milliseconds since 1970. */
  readonly began: number;
  /** The canonical names of the sessions that were played in. */
  readonly sessions: readonly string[];
  /** What the host puts before the name of a tool. */
  readonly toolPrefix: string;
}

/**
 * What may differ between two hosts, each with what takes its place before they are compared. A row of
 * the table names those that it needs; in all else its results are the same to the letter.
 */
const DIFFERENCES = {
  /** When something was done in the run itself. */
  times: (text: string, { began }: Run): string =>
    text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/gu, (time) => (Date.parse(time) < began ? time : "<time>")),
  /** Which session of which harness it was done in. */
  session: (text: string, { sessions }: Run): string =>
    sessions.reduce((rest, session) => rest.replaceAll(session, "<session>"), text),
  /** A host may keep more in a session than is said in it, and all of that takes seqs. */
  seqs: (text: string): string => text.replaceAll(/(?<=\bseq |seq=|seq": ?)-?\d+/gu, "<seq>"),
  /** A host may put something of its own before the names of tools. */
  toolNames: (text: string, { toolPrefix }: Run): string =>
    toolPrefix === "" ? text : text.replaceAll(toolPrefix, ""),
  /** Where something stands in a document that begins with the name of a tool. */
  places: (text: string): string => text.replaceAll(/(?<=offset_chars(?: |": ))\d+/gu, "<place>"),
} as const satisfies Readonly<Record<string, (text: string, run: Run) => string>>;

/** The name of a declared difference. */
export type Difference = keyof typeof DIFFERENCES;

/** A text without the declared differences. */
export function without(differences: readonly Difference[], text: string, run: Run): string {
  return differences.reduce((rest, difference) => DIFFERENCES[difference](rest, run), text);
}
