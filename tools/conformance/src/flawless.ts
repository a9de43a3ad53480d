/** How a host ended, what it wrote beside its output, and what was wrong with its model's script. */
interface Ending {
  readonly code: number | null;
  readonly stderr: string;
  readonly problems: readonly unknown[];
}

/** @throws Error where a host did not end in order, complained, or played another script */
export function mustBeFlawless(host: string, { code, stderr, problems }: Ending): void {
  if (code === 0 && stderr === "" && problems.length === 0) return;
  throw new Error(`${host} ended with ${code}.\nstderr: ${stderr}\nproblems: ${JSON.stringify(problems)}`);
}
