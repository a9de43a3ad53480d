const HOUR_MS = 3_600_000;
const NOTES_LEAST = 5;
const SESSIONS_LEAST = 3;
const HOURS_LEAST = 20;

/** What the gates look at. */
export interface GateFacts {
  /** Notes in scope that have changed since the last dream, or are gone. */
  readonly changedNotes: number;
  /** Sessions since the last dream that were no dreams. */
  readonly sessions: number;
  /** When the last dream ended, or was stopped, milliseconds since 1970; `undefined` before the first. */
  readonly lastTime: number | undefined;
  /** What the doctor found that stands in a dream's way. */
  readonly blocking: number;
}

/**
 * Why no dream may begin yet, with how far it is; `undefined` where one may. Enough has changed (5
 * notes, or 3 sessions that were no dreams), enough time has passed (20 hours), the store is healthy.
 *
 * @param now milliseconds since 1970
 */
export function closedGate({ changedNotes, sessions, lastTime, blocking }: GateFacts, now: number): string | undefined {
  if (blocking > 0)
    return `the store is not healthy: ${blocking} ${blocking === 1 ? "finding stands" : "findings stand"} in the way; see them with notesoup doctor`;
  const since = lastTime === undefined ? undefined : now - lastTime;
  // A clock that was set back must not close the gate until it has caught up.
  if (since !== undefined && since >= 0 && since < HOURS_LEAST * HOUR_MS) {
    const left = Math.ceil((HOURS_LEAST * HOUR_MS - since) / HOUR_MS);
    return `the last dream was less than ${HOURS_LEAST} hours ago; ${left} ${left === 1 ? "hour is" : "hours are"} left`;
  }
  if (changedNotes < NOTES_LEAST && sessions < SESSIONS_LEAST)
    return `too little has changed since the last dream: ${changedNotes} of ${NOTES_LEAST} notes, ${sessions} of ${SESSIONS_LEAST} sessions`;
  return undefined;
}
