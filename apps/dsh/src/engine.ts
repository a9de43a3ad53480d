import type { Context } from "@deepseek-ai/cordis";
import { loadRow } from "./load-row.ts";

/** The name under which DeepSeek Harness lists the row. */
export const name = "notesoup-engine";

/**
 * The row `notesoup-engine`: the host's compaction. In place of a summary, a new window begins with
 * what is known: when the old one is full, when the model refuses it for its length, and at
 * `/compact`. It never keeps the host from starting.
 *
 * @param ctx the host's context
 * @param config the row's own configuration: `home`, `agent`, `reserveTokens`
 */
export async function apply(ctx: object, config?: unknown): Promise<void> {
  const isLoaded = await loadRow(name, ctx, async (host) => {
    const { startEngine } = await import("./engine-row.ts");
    startEngine(host, config);
  });
  if (!isLoaded) await loadRow(name, ctx, hostsOwn);
}

/** The host's own compaction, for which the patch of this bundle leaves no row: without any, the host does not start. */
async function hostsOwn(host: Context): Promise<void> {
  const { default: HostCompaction } = await import("@deepseek-ai/dsh-compaction-basic");
  host.plugin(HostCompaction);
}
