/** A number of tokens as a host has it: `null` or `undefined` where the host does not know. */
export type MaybeTokens = number | null | undefined;

/**
 * `tokens` where it can be one, else `null`: hosts say "unknown" with `null`, `undefined`, `NaN`,
 * and now and then with a negative number. Fractions, which estimates have, are rounded up.
 */
export function knownTokens(tokens: MaybeTokens): number | null {
  return typeof tokens === "number" && Number.isFinite(tokens) && tokens >= 0 ? Math.ceil(tokens) : null;
}

/** As {@link knownTokens}, but 0 is unknown too: no context window and no prompt is empty. */
export function knownAndNotNone(tokens: MaybeTokens): number | null {
  const known = knownTokens(tokens);
  return known === 0 ? null : known;
}
