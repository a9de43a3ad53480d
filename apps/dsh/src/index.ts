import { loadRow } from "./load-row.ts";

/** The name under which DeepSeek Harness lists the row. */
export const name = "notesoup";

/**
 * The row `notesoup`: tools for notes and history, the boot of each window, reminders of what is
 * left, and commands. It never keeps the host from starting: what it lacks it says on the standard
 * error, with the way on.
 *
 * @param ctx the host's context
 * @param config the row's own configuration: `home`, `agent`, `reserveTokens` and the settings of the budget
 */
export async function apply(ctx: object, config?: unknown): Promise<void> {
  await loadRow(name, ctx, async (host) => {
    const { startNotes } = await import("./notes-row.ts");
    startNotes(host, config);
  });
}
