import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";

/** The variable with the folder of the extension for which a boot can be made to fail. */
export const VICTIM = "RIVAL_VICTIM";

/** What a rival can do at the end of the next turn. */
export type Rivalry =
  /** It empties the window, and the run goes on. */
  | "empties"
  /** It keeps what the turn has said, and nothing of before. */
  | "keeps"
  /** It leaves the boot out of a boundary of ours. */
  | "drops"
  /** The same, and no boot can be made any more. */
  | "drops-all";

/** What is in its own compactions where ours say who asked for a reset. */
const DETAILS = { by: "rival", window: "its own" };

/**
 * An extension that looks after the context in its own way, and that keeps another one from reading
 * the session, but not Pi: no boot can be made then, and there is nothing else by which that could be
 * provoked.
 */
export default function resetRival(pi: ExtensionAPI): void {
  let armed: string | undefined;

  pi.registerCommand("rival", {
    description: "Does what is said at the end of the next turn.",
    handler: async (args) => {
      armed = args;
    },
  });
  pi.registerCommand("break", { description: "Breaks boots.", handler: async (_args, ctx) => breakBoots(ctx) });
  pi.registerCommand("mend", {
    description: "Mends them.",
    handler: async (_args, { sessionManager }) => {
      Reflect.deleteProperty(sessionManager, "getHeader");
    },
  });

  pi.on("turn_end", ({ entries, messageEntryId, outcome }, ctx) => {
    if (armed === undefined || outcome !== "completed") return undefined;
    const rivalry = armed;
    armed = undefined;
    if (rivalry === "drops-all") breakBoots(ctx);
    if (rivalry.startsWith("drops"))
      return { entries: entries.filter((entry) => !("customType" in entry) || entry.customType !== "notesoup-boot") };
    const firstKeptEntryId = rivalry === "keeps" ? messageEntryId : null;
    const summary = "The rival was here.";
    return {
      entries: [...entries, { type: "compaction", summary, firstKeptEntryId, details: DETAILS }],
      continue: true,
    };
  });
}

function breakBoots({ sessionManager }: ExtensionContext): void {
  const getHeader = sessionManager.getHeader.bind(sessionManager);
  Object.assign(sessionManager, {
    getHeader: () => {
      if (new Error("asked").stack?.includes(process.env[VICTIM] ?? "no victim")) throw new Error("the header is gone");
      return getHeader();
    },
  });
}
