import { describe, expect, it } from "vitest";
import { saidAt, saidBehind, without } from "../src/reset/waiting.ts";
import type { SessionEntry } from "../src/window.ts";

const entry = (id: string, fields: object): SessionEntry => ({ id, parentId: null, ...fields }) as SessionEntry;
const message = (id: string, role: string): SessionEntry =>
  entry(id, { type: "message", message: { role, content: id } });
const notice = entry("notice", { type: "custom_message", customType: "notesoup-notice", content: "notice" });

describe("what waits for the next window", () => {
  const branch = [message("a", "user"), message("b", "assistant"), notice, message("c", "user"), message("d", "user")];

  const words = (...ids: string[]): object[] => ids.map((id) => ({ id, content: id }));

  it("is what a person said behind the mark, in its order, and nothing that others said", () => {
    expect(saidBehind(branch, "b")).toEqual(words("c", "d"));
    expect(saidBehind(branch, "c")).toEqual(words("d"));
    expect(saidBehind(branch, "d")).toEqual([]);
  });

  it("is found again by its ids, in their order; what is not there, or nobody's words, is nothing", () => {
    expect(saidAt(branch, ["d", "a", "b", "notice", "elsewhere"])).toEqual(words("d", "a"));
  });

  it("is all of a session that was empty, and nothing where there is no mark, or not on this branch", () => {
    expect(saidBehind(branch, null)).toEqual(words("a", "c", "d"));
    expect(saidBehind(branch, undefined)).toEqual([]);
    expect(saidBehind(branch, "elsewhere")).toEqual([]);
  });

  it("is left out of a request from its end, whatever stands between", () => {
    type Messages = Parameters<typeof without>[0];
    const messages = ["user", "custom", "user", "toolResult", "user"].map((role, at) => ({ role, at }));
    const left = (waiting: number): unknown[] => without(messages as unknown as Messages, waiting);
    expect(left(0)).toEqual(messages);
    expect(left(2)).toEqual([messages[0], messages[1], messages[3]]);
    expect(left(9)).toEqual([messages[1], messages[3]]);
  });
});
