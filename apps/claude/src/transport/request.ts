/** What the helper is told of the host's session: it finds out none of it from its own process. All of it plain JSON. */
export interface SessionFacts {
  readonly sessionId: string;
  /** The root of the session, absolute. It does not follow a `cd` of the shell. */
  readonly baseCwd: string;
  /** The id of the model. */
  readonly model: string;
  /** The main conversation's transcript; empty in a session that keeps none. */
  readonly transcriptPath: string;
  /** The row at which the active branch ends, by its id; `null` before the first one. */
  readonly head: string | null;
  /** The folder of the notes as a person has set it; `null` where nobody has. */
  readonly notesHome: string | null;
  /** The name of the agent as a person has set it; `null` where nobody has. */
  readonly agent: string | null;
}

/** The notes tools, by name. */
export const NOTES_TOOLS = ["notes_write", "notes_read", "notes_update", "notes_list", "notes_search"] as const;

/** The history tools, by name. */
export const HISTORY_TOOLS = ["history_list", "history_read"] as const;

/** A notes tool. */
export type NotesTool = (typeof NOTES_TOOLS)[number];

/** A history tool. */
export type HistoryTool = (typeof HISTORY_TOOLS)[number];

/** A tool that the helper does. */
export type HelperTool = NotesTool | HistoryTool;

/** A tool is called. The arguments are as the model gave them: nobody has looked at them. */
export interface CallRequest {
  readonly kind: "call";
  readonly tool: HelperTool;
  readonly args: unknown;
  readonly session: SessionFacts;
}

/** A window begins. */
export interface BootRequest {
  readonly kind: "boot";
  /** Where: `here`, behind all that was said until now; `before`, at the start of the last window that there is. */
  readonly begins: "here" | "before";
  readonly session: SessionFacts;
}

/** What the helper is asked for. */
export type HelperRequest = CallRequest | BootRequest;
