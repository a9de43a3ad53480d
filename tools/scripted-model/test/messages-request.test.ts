import { describe, expect, it } from "vitest";
import {
  lastPrompt,
  lastToolResults,
  offeredTools,
  systemMessages,
  systemPrompt,
  type MessagesRequest,
} from "../src/index.ts";

const request: MessagesRequest = {
  model: "scripted-model",
  system: [
    { type: "text", text: "Be brief." },
    { type: "text", text: "Be kind." },
  ],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "First." },
        { type: "text", text: "<system-reminder>\nNot the user's.\n</system-reminder>" },
      ],
    },
    { role: "system", content: "A budget." },
    { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "Old." }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_2", content: "error: no.", is_error: true },
        {
          type: "tool_result",
          tool_use_id: "call_3",
          content: [{ type: "text", text: "New " }, { type: "image" }, { type: "text", text: "result." }],
        },
        { type: "tool_result", tool_use_id: "call_4" },
      ],
    },
    { role: "system", content: [{ type: "text", text: "Another." }] },
  ],
  tools: [{ name: "read" }, { type: "made by the server" }, { name: "write" }],
};
const bare: MessagesRequest = { model: "scripted-model", messages: [{ role: "assistant", content: "Hello." }] };

describe("the readers of a Messages request", () => {
  it("give the system prompt, as a text or as its blocks", () => {
    expect(systemPrompt(request)).toBe("Be brief.\n\nBe kind.");
    expect(systemPrompt({ ...request, system: "One." })).toBe("One.");
  });

  it("give what was put into the conversation in the role of the system", () => {
    expect(systemMessages(request)).toEqual(["A budget.", "Another."]);
  });

  it("give what the user said last, which no reminder of a host is", () => {
    expect(lastPrompt(request)).toBe("First.");
    expect(lastPrompt({ ...request, messages: [...request.messages, { role: "user", content: "Second." }] })).toBe(
      "Second.",
    );
  });

  it("give the results that came last, with their calls and whether they are errors", () => {
    expect(lastToolResults(request)).toEqual([
      { id: "call_2", text: "error: no.", isError: true },
      { id: "call_3", text: "New result.", isError: false },
      { id: "call_4", text: "", isError: false },
    ]);
  });

  it("give the names of the tools on offer", () => {
    expect(offeredTools(request)).toEqual(["read", "write"]);
  });

  it("tell absence from an empty text", () => {
    expect(systemPrompt(bare)).toBe("");
    expect(systemMessages(bare)).toEqual([]);
    expect(lastPrompt(bare)).toBeUndefined();
    expect(lastToolResults(bare)).toEqual([]);
    expect(offeredTools(bare)).toEqual([]);
  });
});
