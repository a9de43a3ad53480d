/**
 * A number of tokens for a text, with a comma between thousands in every locale: `24,576`.
 *
 * @param tokens a whole number, not negative
 */
export function formatTokens(tokens: number): string {
  return String(tokens).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
