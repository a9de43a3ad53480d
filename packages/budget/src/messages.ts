import { formatTokens } from "./format-tokens.ts";

/** What the tools are called in the host at hand. The texts name no other. */
export interface ResetToolNames {
  /** Ends the window and starts the next; absent where the host has no such tool. */
  readonly emptyBrain?: string | undefined;
  /** Says how many tokens are left. */
  readonly remaining: string;
  /** Writes a note. */
  readonly write: string;
  /** Changes a note. */
  readonly update: string;
}

/** What {@link preResetHint} is made of. */
export interface ResetHint {
  readonly tools: ResetToolNames;
  /** Whether the window is emptied by itself when nothing is left. */
  readonly autoReset: boolean;
}

/** What a reminder and a last word are made of. */
export interface Notice extends ResetHint {
  /** Tokens left above the reserve. */
  readonly remainingTokens: number;
}

/** What {@link closeOutText} is made of. */
export interface CloseOut {
  readonly tools: ResetToolNames;
  /** Who empties the window: a person, or the budget at its last line. */
  readonly askedBy: "person" | "budget";
  /** Tokens left above the reserve; `null` where that is unknown. 0 is not told: the reserve is there for this turn. */
  readonly remainingTokens: number | null;
}

/**
 * Stands at the beginning of a window, while there is room: what will happen at its end, and what to
 * do until then. Like every text here at most 600 characters with tool names of usual length, and
 * the same bytes for the same input.
 */
export function preResetHint({ tools, autoReset }: ResetHint): string {
  return sentences(
    "This context window is finite.",
    autoReset
      ? "When no tokens are left, it is emptied, and you go on in a new window that begins with your notes."
      : "When no tokens are left, the host decides what is dropped.",
    `So write down what must survive as it comes up, with ${noteTools(tools)}: ${WHAT_MUST_SURVIVE}.`,
    `\`${tools.remaining}\` says how many tokens are left.`,
    tools.emptyBrain !== undefined &&
      `At a good point to stop, you can call \`${tools.emptyBrain}\` to start a new window yourself.`,
  );
}

/** Said when the first line is crossed: there is time to come to a good point. */
export function reminderText({ remainingTokens, tools, autoReset }: Notice): string {
  return sentences(
    left(remainingTokens),
    autoReset && "When none are left, it is emptied.",
    `Come to a good point to stop, and write down what must survive, with ${noteTools(tools)}: ${WHAT_MUST_SURVIVE}.`,
    tools.emptyBrain !== undefined &&
      `Then call \`${tools.emptyBrain}\` to go on in a new window that begins with your notes.`,
    `\`${tools.remaining}\` says how much is left.`,
  );
}

/** Said when the second line is crossed: nothing new can be begun. */
export function lastWordText({ remainingTokens, tools, autoReset }: Notice): string {
  return sentences(
    left(remainingTokens),
    "This is the last reminder: begin nothing new.",
    `Write down now what must survive, with ${noteTools(tools)}: ${WHAT_MUST_SURVIVE}.`,
    tools.emptyBrain !== undefined && `Then call \`${tools.emptyBrain}\`.`,
    autoReset
      ? "When none are left, the window is emptied; the next one begins with your notes, and what is in none of them has to be looked up."
      : "When none are left, the host decides what is dropped.",
  );
}

/** Opens the last turn of a window that a person or the budget empties. */
export function closeOutText({ tools, askedBy, remainingTokens }: CloseOut): string {
  return sentences(
    `${askedBy === "person" ? "A person asked to empty this context window" : "This context window is used up"}; this is the last turn in it.`,
    remainingTokens !== null && remainingTokens > 0 && left(remainingTokens),
    `Write down what must survive, with ${noteTools(tools)}: ${WHAT_MUST_SURVIVE}.`,
    "Do nothing else; if your notes have all of it, just end the turn.",
    `The window is emptied when the turn ends${tools.emptyBrain === undefined ? "" : `, without a call of \`${tools.emptyBrain}\``}, and the next one begins with your notes.`,
  );
}

/**
 * Stands where {@link closeOutText} stood once that turn is over and the window is still there: it
 * was stopped, or it failed. Nothing that was asked for then holds.
 */
export function withdrawnCloseOutText(): string {
  return "A request to empty this context window stood here. That turn is over, and nothing is to be done about it any more: go on as usual.";
}

const WHAT_MUST_SURVIVE = "what was asked, decisions and their reasons, what is done, what comes next";

function noteTools({ write, update }: ResetToolNames): string {
  return `\`${write}\` or \`${update}\``;
}

/** Reads well for one token too. */
function left(tokens: number): string {
  return `Tokens left in this context window: ${formatTokens(tokens)}.`;
}

function sentences(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(" ");
}
