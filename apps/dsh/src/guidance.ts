import { EMPTY_BRAIN_TOOL } from "./tool-names.ts";

/**
 * When to reach for the tools, in the system prompt. It never changes, so that the prompt cache
 * holds; agents whose preset is the whole prompt do not see it, and the tools' own words say it too.
 */
export const GUIDANCE = [
  "Memory:",
  "- Use notes_list when a session begins, and notes_read before work that earlier decisions may bear on.",
  "- Use notes_search when a past decision, name or error comes up, before you ask or work it out again.",
  "- Use notes_write for decisions, hard-won facts and commands, and what the next context window must know; say why, not only what.",
  "- Use notes_update as soon as a note proves wrong or out of date; crumple what is spent, it can be brought back.",
  "- Use history_list when you need what was said or done before and no longer see it; history_read opens one event of it.",
  `- Use ${EMPTY_BRAIN_TOOL} after you have written down what must survive, never before.`,
].join("\n");
