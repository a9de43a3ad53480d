/** A job and a rival that does the same, each run once per call. */
export interface Comparison {
  readonly name: string;
  /** What ours is held against. */
  readonly rival: string;
  /** What ours divided by the rival's time shall not pass. */
  readonly atMost: number;
  readonly ours: () => Promise<void> | void;
  readonly theirs: () => Promise<void> | void;
}

/** Medians of both, in milliseconds a call, and the median of the ratios of neighbouring rounds. */
export interface Compared extends Pick<Comparison, "name" | "rival" | "atMost"> {
  readonly oursMs: number;
  readonly theirsMs: number;
  readonly ratio: number;
}

const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
/** A round is as many calls as take about so long, so that short jobs are not lost in the clock. */
const ROUND_MS = 40;

/**
 * Measures both in turns, so that whatever slows the machine down meanwhile slows both. The ratio
 * is what counts: milliseconds are those of one machine.
 */
export async function compare({ name, rival, atMost, ours, theirs }: Comparison): Promise<Compared> {
  const calls = { ours: await callsPerRound(ours), theirs: await callsPerRound(theirs) };
  const rounds: { readonly ours: number; readonly theirs: number }[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const times = { ours: await perCall(ours, calls.ours), theirs: await perCall(theirs, calls.theirs) };
    if (round >= 0) rounds.push(times);
  }
  return {
    name,
    rival,
    atMost,
    oursMs: median(rounds.map((round) => round.ours)),
    theirsMs: median(rounds.map((round) => round.theirs)),
    ratio: median(rounds.map((round) => round.ours / round.theirs)),
  };
}

async function callsPerRound(job: () => Promise<void> | void): Promise<number> {
  let calls = 1;
  while ((await perCall(job, calls)) * calls < ROUND_MS / 2 && calls < 1_000_000) calls *= 2;
  return calls;
}

async function perCall(job: () => Promise<void> | void, calls: number): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call++) await job();
  return (performance.now() - start) / calls;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("There is no median of nothing.");
  return middle;
}
