/** One thing that a check found wrong. A check that finds nothing gives an empty list. */
export interface Finding {
  /** The file or folder at fault, relative to the root of the workspace. */
  readonly where: string;
  /** What is wrong, and what would put it right. */
  readonly what: string;
}

/** One line a finding, as a failed test shows them. */
export function report(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ where, what }) => `${where}: ${what}`);
}
