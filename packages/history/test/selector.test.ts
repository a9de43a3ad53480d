import { describe, expect, it } from "vitest";
import { parseSelector, selectSession } from "../src/selector.ts";
import type { SessionRef } from "../src/session-ref.ts";
import type { Harness } from "../src/wire/wire.ts";
import { refusal } from "./session-fixture.ts";

const ref = (harness: Harness, id: string, lastActivity = 0): SessionRef => ({
  harness,
  id,
  name: `${harness}:${id}`,
  lastActivity,
});
const sessions = [
  ref("pi", "0193a0b1-0001", Date.UTC(2026, 10, 30, 12)),
  ref("claude", "0193a0b1-0002", Date.UTC(2026, 10, 29)),
  ref("claude", "same-id", 5),
  ref("dsh", "same-id", 4),
  ref("dsh", "same-id-and-more", 3),
  ref("dsh", "a", 2),
];

const select = async (selector: string): Promise<string> => {
  const parsed = parseSelector(selector);
  if (parsed.kind === "wildcard") return `all of ${parsed.harness ?? "them"}`;
  return (await selectSession(parsed, sessions, ({ id }) => Promise.resolve(id === "same-id" ? undefined : "/work")))
    .name;
};

describe("a selector", () => {
  it.each([
    ["*", "all of them"],
    ["pi:*", "all of pi"],
    ["claude:*", "all of claude"],
    ["dsh:*", "all of dsh"],
  ])("%j means %s", async (selector, expected) => {
    expect(await select(selector)).toBe(expected);
  });

  it.each([
    ["pi:0193a0b1-0001", "pi:0193a0b1-0001"],
    ["0193a0b1-0001", "pi:0193a0b1-0001"],
    ["claude:0193a0", "claude:0193a0b1-0002"],
    ["dsh:same-id", "dsh:same-id"],
    ["same-id-a", "dsh:same-id-and-more"],
    ["a", "dsh:a"],
    ["dsh:a", "dsh:a"],
  ])("%j means %s", async (selector, expected) => {
    expect(await select(selector)).toBe(expected);
  });

  it.each(["unknown", "pi:same-id", "0193a0b1-0003", "PI:*", "other:*", "**", "pi:", "193a0b1-0001"])(
    "%j means nothing",
    async (selector) => {
      expect(await refusal("session_not_found", () => select(selector))).toContain(JSON.stringify(selector));
    },
  );

  it.each(["0193a", "pi:0193a", "pi:", ""])(
    "%j is too short for the beginning of a name, which is said",
    async (selector) => {
      expect(await refusal("session_not_found", () => select(selector))).toContain("at least 6 characters");
    },
  );

  it("that fits several sessions is refused with each of them, where and when it was active last", async () => {
    expect(await refusal("ambiguous_session", () => select("0193a0b1"))).toBe(
      '"0193a0b1" fits 2 sessions; name one whole: ' +
        'pi:0193a0b1-0001 in "/work", last active 2026-11-30T12:00:00.000Z; ' +
        'claude:0193a0b1-0002 in "/work", last active 2026-11-29T00:00:00.000Z',
    );
    expect(await refusal("ambiguous_session", () => select("same-id"))).toContain(
      "claude:same-id, last active 1970-01-01T00:00:00.005Z; dsh:same-id, last",
    );
  });

  it("that fits very many names some of them, the last active first, and counts the others", async () => {
    const many = Array.from({ length: 8 }, (_, at) => ref("pi", `session-${at}`));
    const message = await refusal("ambiguous_session", () =>
      selectSession({ kind: "name", selector: "session" }, many, () => Promise.resolve(undefined)),
    );
    expect(message).toContain("pi:session-4, last");
    expect(message).not.toContain("pi:session-5");
    expect(message).toMatch(/; and 3 more$/u);
  });

  it("is quoted in a refusal on one line, whatever stands in it", async () => {
    const message = await refusal("session_not_found", () => select(`x\n\u001b[31m${"y".repeat(500)}`));
    expect(message.length).toBeLessThan(300);
    expect(message).not.toContain("\u001b");
  });
});
