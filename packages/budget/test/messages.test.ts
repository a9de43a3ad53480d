import { describe, expect, it } from "vitest";
import {
  closeOutText,
  lastWordText,
  preResetHint,
  reminderText,
  type ResetToolNames,
  withdrawnCloseOutText,
} from "../src/messages.ts";

const tools: ResetToolNames = {
  emptyBrain: "empty_brain",
  remaining: "get_context_remaining",
  write: "notes_write",
  update: "notes_update",
};
const withoutReset: ResetToolNames = {
  remaining: "mcp__notesoup__get_context_remaining",
  write: "mcp__notesoup__notes_write",
  update: "mcp__notesoup__notes_update",
};

describe("what the model reads", () => {
  it("while there is room", () => {
    expect(preResetHint({ tools, autoReset: true })).toBe(
      "This context window is finite. When no tokens are left, it is emptied, and you go on in a new window that begins with your notes. So write down what must survive as it comes up, with `notes_write` or `notes_update`: what was asked, decisions and their reasons, what is done, what comes next. `get_context_remaining` says how many tokens are left. At a good point to stop, you can call `empty_brain` to start a new window yourself.",
    );
  });

  it("at the first line", () => {
    expect(reminderText({ tools, autoReset: true, remainingTokens: 24_576 })).toBe(
      "Tokens left in this context window: 24,576. When none are left, it is emptied. Come to a good point to stop, and write down what must survive, with `notes_write` or `notes_update`: what was asked, decisions and their reasons, what is done, what comes next. Then call `empty_brain` to go on in a new window that begins with your notes. `get_context_remaining` says how much is left.",
    );
  });

  it("at the second line", () => {
    expect(lastWordText({ tools, autoReset: true, remainingTokens: 12_288 })).toBe(
      "Tokens left in this context window: 12,288. This is the last reminder: begin nothing new. Write down now what must survive, with `notes_write` or `notes_update`: what was asked, decisions and their reasons, what is done, what comes next. Then call `empty_brain`. When none are left, the window is emptied; the next one begins with your notes, and what is in none of them has to be looked up.",
    );
  });

  it("in the last turn, where the window is used up", () => {
    expect(closeOutText({ tools, askedBy: "budget", remainingTokens: 0 })).toBe(
      "This context window is used up; this is the last turn in it. Write down what must survive, with `notes_write` or `notes_update`: what was asked, decisions and their reasons, what is done, what comes next. Do nothing else; if your notes have all of it, just end the turn. The window is emptied when the turn ends, without a call of `empty_brain`, and the next one begins with your notes.",
    );
  });

  it("in the last turn, where a person asked for it", () => {
    expect(closeOutText({ tools, askedBy: "person", remainingTokens: 90_000 })).toBe(
      "A person asked to empty this context window; this is the last turn in it. Tokens left in this context window: 90,000. Write down what must survive, with `notes_write` or `notes_update`: what was asked, decisions and their reasons, what is done, what comes next. Do nothing else; if your notes have all of it, just end the turn. The window is emptied when the turn ends, without a call of `empty_brain`, and the next one begins with your notes.",
    );
    expect(closeOutText({ tools, askedBy: "person", remainingTokens: null })).not.toContain("Tokens left");
  });

  it("where a last turn was stopped or failed: nothing that it was to do", () => {
    expect(withdrawnCloseOutText()).toBe(
      "A request to empty this context window stood here. That turn is over, and nothing is to be done about it any more: go on as usual.",
    );
  });
});

describe("every text that asks for something", () => {
  const all = [tools, withoutReset].flatMap((names) =>
    [true, false].flatMap((autoReset) => [
      preResetHint({ tools: names, autoReset }),
      reminderText({ tools: names, autoReset, remainingTokens: 1_000_000 }),
      lastWordText({ tools: names, autoReset, remainingTokens: 1_000_000 }),
      closeOutText({ tools: names, askedBy: "person", remainingTokens: 1_000_000 }),
      closeOutText({ tools: names, askedBy: "budget", remainingTokens: 0 }),
    ]),
  );

  it.each(all)("is at most 600 characters on one line, and names both tools for notes: %j", (text) => {
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).not.toMatch(/[\n!]|undefined| {2}/);
    expect(text).toMatch(/`\w*notes_write` or `\w*notes_update`/);
  });

  it("promises a reset only where there is one", () => {
    for (const text of [preResetHint, reminderText, lastWordText].map((write) =>
      write({ tools: withoutReset, autoReset: false, remainingTokens: 5_000 }),
    )) {
      expect(text).not.toMatch(/empt(y|ied)/);
    }
  });
});
