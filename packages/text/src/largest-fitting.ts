/**
 * The largest whole number from 1 to `max` that `fits`, or 0 where none does. Binary search: `fits`
 * is asked at most `log2(max) + 2` times, and must be true up to some number and false beyond it.
 */
export function largestFitting(max: number, fits: (candidate: number) => boolean): number {
  if (max < 1) return 0;
  if (fits(max)) return max;
  let good = 0;
  let bad = max;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
