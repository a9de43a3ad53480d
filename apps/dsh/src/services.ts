import type { Context } from "@deepseek-ai/cordis";
import { say } from "./say.ts";

/**
 * Runs a part of a row as long as the host has what it needs. The row itself needs nothing: the host
 * ends where a row waits for a service that never comes. What is missing once all is loaded is said.
 *
 * @returns what resolves then: not to be waited for while the row is loaded
 */
export function withServices(
  row: string,
  ctx: Context,
  needed: readonly string[],
  start: (ctx: Context) => void,
): Promise<void> {
  ctx.inject([...needed] as never, start as never);
  return sayMissing(row, ctx, needed);
}

async function sayMissing(row: string, ctx: Context, needed: readonly string[]): Promise<void> {
  const loader = ctx.get("loader" as never) as { await(): Promise<void> } | undefined;
  try {
    await loader?.await();
  } catch {
    // The host ends for another row, and says so.
    return;
  }
  const missing = needed.filter((service) => ctx.get(service as never) === undefined);
  if (missing.length === 0) return;
  say(row, `idle: the host has no service ${missing.join(", ")}; enable the rows that provide it, or disable this one`);
}
