import { describe, expect, it } from "vitest";
import { lastToolText, lastUserText, toolNames, type ChatRequest } from "../src/index.ts";

const request: ChatRequest = {
  model: "scripted-model",
  messages: [
    { role: "user", content: "First." },
    { role: "tool", tool_call_id: "call_1", content: "Old result." },
    {
      role: "tool",
      tool_call_id: "call_2",
      content: [{ type: "text", text: "New " }, { type: "image_url" }, { type: "text", text: "result." }],
    },
    { role: "user", content: [{ type: "text", text: "Second." }] },
    { role: "assistant", content: null },
  ],
  tools: [{ function: { name: "read" } }, { function: { name: "write" } }],
};
const bare: ChatRequest = { model: "scripted-model", messages: [{ role: "system", content: "Be brief." }] };

describe("the readers of a request", () => {
  it("give the text of the last result of a tool, its parts joined", () => {
    expect(lastToolText(request)).toBe("New result.");
  });

  it("give the text of the last message of the user", () => {
    expect(lastUserText(request)).toBe("Second.");
  });

  it("give the names of the tools on offer", () => {
    expect(toolNames(request)).toEqual(["read", "write"]);
  });

  it("tell absence from an empty text", () => {
    expect(lastToolText(bare)).toBeUndefined();
    expect(lastUserText(bare)).toBeUndefined();
    expect(toolNames(bare)).toEqual([]);
  });
});
