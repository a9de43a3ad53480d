import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

/** A line for each time that Pi has closed a session: its id, and the ids of its active branch. In the project. */
export const BRANCHES = "branches.jsonl";

/**
 * An extension that does what tests of the history cannot do from outside: it goes back in the
 * session's tree, resets the context at a turn's end, dies while it works, and says what Pi takes
 * for the active branch.
 */
export default function historyDriver(pi: ExtensionAPI): void {
  let isArmed = false;

  pi.registerCommand("goto", {
    description: "Goes to the entry of an id; with `summarize` behind it, a summary of what is left stays.",
    handler: async (args, ctx) => {
      const [id = "", summarize] = args.split(" ");
      await ctx.navigateTree(id, { summarize: summarize === "summarize" });
    },
  });

  pi.registerTool({
    name: "reset",
    label: "Reset",
    description: "Empties the context at the end of the turn.",
    parameters: Type.Object({}),
    execute: async () => {
      isArmed = true;
      return { content: [{ type: "text", text: "Armed." }], details: undefined };
    },
  });

  pi.registerTool({
    name: "die",
    label: "Die",
    description: "Ends Pi as a crash does.",
    parameters: Type.Object({}),
    execute: () => {
      process.kill(process.pid, "SIGKILL");
      return new Promise<never>(() => {});
    },
  });

  pi.on("turn_end", ({ entries, outcome }) => {
    if (!isArmed || outcome !== "completed") return undefined;
    isArmed = false;
    return {
      entries: [
        ...entries,
        { type: "custom", customType: "driver", data: { resets: 1 } },
        { type: "compaction", summary: "Nothing is kept.", firstKeptEntryId: null },
        { type: "custom_message", customType: "driver", content: "What to go on with.", display: false },
      ],
      continue: true,
    };
  });

  pi.on("session_shutdown", (_event, { cwd, sessionManager }) => {
    const branch = sessionManager.getBranch().map(({ id }) => id);
    appendFileSync(join(cwd, BRANCHES), `${JSON.stringify({ session: sessionManager.getSessionId(), branch })}\n`);
  });
}
