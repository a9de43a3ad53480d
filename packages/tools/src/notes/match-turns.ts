import type { NoteMatch, NoteSearchRow } from "@notesoup/notes";
import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";

/** A match, and which note it is of. */
export interface Hit {
  readonly note: number;
  readonly match: NoteMatch;
}

/** From this length on, in UTF-16 units, a line waits for the shorter ones: minified code, a log, a base64 blob. */
const LONG_LINE_UNITS = 1024;

/** A match takes at least this in the JSON of a result: `{"line":1,"offset_chars":0,"text":"x"},`. */
const MATCH_MIN_BYTES = 38;

/** The first match of each note that has one on a line that is not long. */
export function firstHits(rows: readonly NoteSearchRow[]): Hit[] {
  return rows.flatMap(({ matches }, note) => {
    const match = matches.find(isShort);
    return match === undefined ? [] : [{ note, match }];
  });
}

/**
 * The matches beside {@link firstHits} in the order in which they are given room: the next of each
 * note, then the next but one, so that no note crowds out the others; those on long lines last. No
 * more of them than could ever be delivered.
 */
export function furtherHits(rows: readonly NoteSearchRow[]): Hit[] {
  const short = rows.map(({ matches }) => matches.filter(isShort).slice(1));
  const long = rows.map(({ matches }) => matches.filter((match) => !isShort(match) && couldFit(match)));
  return [
    ...inTurns(short, OUTPUT_BUDGET_BYTES / MATCH_MIN_BYTES),
    ...inTurns(long, OUTPUT_BUDGET_BYTES / LONG_LINE_UNITS),
  ];
}

function isShort({ text }: NoteMatch): boolean {
  return text.length < LONG_LINE_UNITS;
}

function couldFit({ text }: NoteMatch): boolean {
  return text.length <= OUTPUT_BUDGET_BYTES;
}

/** The first of each list, then the second of each, and so on, about `most` of them. */
function inTurns(lists: readonly (readonly NoteMatch[])[], most: number): Hit[] {
  const hits: Hit[] = [];
  for (let turn = 0; hits.length < most; turn++) {
    const round = lists.flatMap((matches, note) => {
      const match = matches[turn];
      return match === undefined ? [] : [{ note, match }];
    });
    if (round.length === 0) break;
    hits.push(...round);
  }
  return hits.slice(0, most);
}
