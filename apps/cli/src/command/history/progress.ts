import type { HistoryCorpus } from "@notesoup/history";

/** Where progress is shown: standard error, if it is a terminal. */
export interface ProgressLine {
  readonly isTTY?: boolean;
  /** Characters that fit in a line; 80 where that is not known. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** Returns to the begin of the line and empties it. */
const EMPTY_LINE = "\r\u001b[K";

/**
 * A corpus that tells how many of its sessions have been looked through. Nothing is told where nobody
 * looks: into a file or a pipe.
 */
export function watched(
  corpus: HistoryCorpus,
  line: ProgressLine,
): { readonly corpus: HistoryCorpus; readonly clear: () => void } {
  if (line.isTTY !== true) return { corpus, clear: () => {} };
  const looked = new Set<string>();
  let all = 0;
  const look = (name: string): void => {
    if (looked.has(name)) return;
    looked.add(name);
    const text = `searching session ${looked.size} of ${Math.max(all, looked.size)}; Ctrl-C stops`;
    // A line that a terminal has broken could not be emptied.
    line.write(EMPTY_LINE + text.slice(0, (line.columns ?? 80) - 1));
  };
  return {
    corpus: {
      sessions: async (harness) => {
        const sessions = await corpus.sessions(harness);
        all = sessions.length;
        return sessions;
      },
      select: (selector) => corpus.select(selector),
      open: (ref) => {
        look(ref.name);
        return corpus.open(ref);
      },
      mayHold: (ref, pattern) => {
        look(ref.name);
        return corpus.mayHold(ref, pattern);
      },
    },
    clear: () => {
      if (looked.size > 0) line.write(EMPTY_LINE);
    },
  };
}
