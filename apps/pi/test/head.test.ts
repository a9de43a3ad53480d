import { describe, expect, it } from "vitest";
import { withHead } from "../src/reset/head.ts";
import { BOOT_TYPE, CARRIED_TYPE, NOTICE_TYPE } from "../src/window.ts";

type Messages = Parameters<typeof withHead>[0];

const custom = (customType: string, content: string): object => ({ role: "custom", customType, content });
const SUMMARY = { role: "compactionSummary", summary: "The context was emptied." };
const USER = { role: "user", content: "said" };

/** Who says what in a request, in short. */
function sent(messages: readonly object[], boot: string | undefined, ...words: string[]): string[] {
  return withHead(messages as Messages, { boot, words }).map((message) =>
    "content" in message && typeof message.content === "string" ? message.content : message.role,
  );
}

describe("the head of a window", () => {
  it("is the boot right behind the summary, and a person's words behind the boot", () => {
    expect(sent([SUMMARY, USER], "boot", "one", "two")).toEqual(["compactionSummary", "boot", "one", "two", "said"]);
    expect(sent([SUMMARY], "boot", "one")).toEqual(["compactionSummary", "boot", "one"]);
    expect(sent([USER], "boot")).toEqual(["boot", "said"]);
  });

  it("leaves what a boundary has put there in its place: words come behind it, a boot before it", () => {
    const boundary = [SUMMARY, custom(BOOT_TYPE, "its boot"), custom(CARRIED_TYPE, "its words")];
    expect(sent([...boundary, USER], undefined, "one")).toEqual([
      "compactionSummary",
      "its boot",
      "its words",
      "one",
      "said",
    ]);
    expect(sent([SUMMARY, custom(CARRIED_TYPE, "its words"), USER], "boot")).toEqual([
      "compactionSummary",
      "boot",
      "its words",
      "said",
    ]);
    expect(sent([SUMMARY, custom(NOTICE_TYPE, "notice")], "boot", "one").at(-1)).toBe("notice");
  });

  it("is the same in each request, hidden, and of the types that such messages have in a session", () => {
    const made = withHead([SUMMARY] as unknown as Messages, { boot: "boot", words: ["one"] });
    expect(withHead([SUMMARY] as unknown as Messages, { boot: "boot", words: ["one"] })).toEqual(made);
    expect(made.slice(1)).toEqual([
      expect.objectContaining({ role: "custom", customType: BOOT_TYPE, content: "boot", display: false }),
      expect.objectContaining({ role: "custom", customType: CARRIED_TYPE, content: "one", display: false }),
    ]);
  });
});
