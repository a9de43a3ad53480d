import { Audit, type AuditCommit } from "./audit/audit.ts";
import { dreamHome } from "./home.ts";
import type { DreamOptions } from "./options.ts";

/**
 * What the audit has recorded, the last first: one entry a commit.
 *
 * @param most how many entries
 * @throws Refused `audit_unavailable`
 */
export async function dreamLog(
  { identity, env }: Pick<DreamOptions, "identity" | "env">,
  most: number,
): Promise<readonly AuditCommit[]> {
  const audit = new Audit(dreamHome(identity), env);
  await audit.check();
  return audit.log(most);
}
