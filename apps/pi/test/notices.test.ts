import { closeOutText, withdrawnCloseOutText } from "@notesoup/budget";
import { describe, expect, it } from "vitest";
import { takeBack } from "../src/reset/notices.ts";
import { RESET_TOOLS } from "../src/tool-names.ts";
import { BOOT_TYPE, NOTICE_TYPE } from "../src/window.ts";

type Messages = Parameters<typeof takeBack>[0];

const ASKS = closeOutText({ tools: RESET_TOOLS, askedBy: "person", remainingTokens: null });
const closeOut = (): object => ({
  role: "custom",
  customType: NOTICE_TYPE,
  content: ASKS,
  details: { fingerprint: "close-out" },
});

/** The texts of a request after what is over is taken back. */
function left(messages: readonly object[], isClosing: boolean): unknown[] {
  takeBack(messages as Messages, isClosing);
  return messages.map((message) => ("content" in message ? message.content : undefined));
}

describe("what close-outs have asked for", () => {
  it("is taken back once they are over: all of it, or all but that of the one that is under way", () => {
    const user = { role: "user", content: "said" };
    expect(left([closeOut(), user, closeOut(), user], false)).toEqual([
      withdrawnCloseOutText(),
      "said",
      withdrawnCloseOutText(),
      "said",
    ]);
    expect(left([closeOut(), user, closeOut(), user], true)).toEqual([withdrawnCloseOutText(), "said", ASKS, "said"]);
    expect(left([closeOut()], true)).toEqual([ASKS]);
  });

  it("is told from what others say, and from what of ours is no close-out", () => {
    const others = [
      { role: "user", content: ASKS },
      { role: "custom", customType: NOTICE_TYPE, content: "reminder", details: { fingerprint: "reminder/1/1/s:1" } },
      { role: "custom", customType: NOTICE_TYPE, content: "a", details: undefined },
      { role: "custom", customType: NOTICE_TYPE, content: "b", details: null },
      { role: "custom", customType: NOTICE_TYPE, content: "c", details: "close-out" },
      { role: "custom", customType: BOOT_TYPE, content: "boot", details: { fingerprint: "close-out" } },
      { role: "compactionSummary", summary: ASKS },
    ];
    const before = structuredClone(others);
    takeBack(others as unknown as Messages, false);
    expect(others).toEqual(before);
  });
});
