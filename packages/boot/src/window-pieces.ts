import type { SessionWindow } from "@notesoup/history";
import type { Piece } from "./fit.ts";
import { callOf, counted, isoTime } from "./phrases.ts";

/** Of the room: as much as the list of notes of a notebook. */
const WEIGHT = 2;

const HEADING = "## Earlier windows of this session";

/** The section of the windows before this one, the last one first. */
export function windowPieces(windows: readonly SessionWindow[], tools: { readonly historyList: string }): Piece[] {
  const last = windows.at(-1);
  if (last === undefined) return [`${HEADING} · none: this is the first`];
  const omission = (shown: number): string => {
    const omitted = windows.slice(0, windows.length - shown);
    const range = { firstSeq: omitted[0]?.firstSeq ?? 0, lastSeq: omitted.at(-1)?.lastSeq ?? 0 };
    return `+${counted(omitted.length, "earlier window")}, seq ${range.firstSeq} to ${range.lastSeq}; ${callOf(tools.historyList, boundsOf(range))}`;
  };
  return [
    `${HEADING} · ${windows.length}, the last one first`,
    `Seqs of a window narrow ${tools.historyList}; its bounds are exclusive: seq ${last.firstSeq} to ${last.lastSeq} is ${JSON.stringify(boundsOf(last))}.`,
    { lines: windows.toReversed().map(windowLine), omission, longestOmission: omission(0), weight: WEIGHT },
  ];
}

function windowLine({ firstSeq, lastSeq, startedAt, events }: SessionWindow): string {
  return `- seq ${firstSeq} to ${lastSeq} · ${counted(events, "event")} · began ${isoTime(startedAt)}`;
}

type Seqs = Pick<SessionWindow, "firstSeq" | "lastSeq">;

/** The bounds that select these seqs: both are exclusive. */
function boundsOf({ firstSeq, lastSeq }: Seqs): { readonly after_seq: number; readonly before_seq: number } {
  return { after_seq: firstSeq - 1, before_seq: lastSeq + 1 };
}
