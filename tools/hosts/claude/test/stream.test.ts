import { describe, expect, it } from "vitest";
import { initRows, resultRows, toolResults, type Row } from "../src/index.ts";

const init: Row = { type: "system", subtype: "init", session_id: "s", tools: ["Read"] };
const result: Row = { type: "result", subtype: "success", is_error: false, session_id: "s" };

describe("the readers of rows", () => {
  it("find where turns began and how they ended", () => {
    const rows = [{ type: "system", subtype: "status" }, init, result, init];
    expect(initRows(rows)).toEqual([init, init]);
    expect(resultRows(rows)).toEqual([result]);
  });

  it("find the results of tools, in a stream and in a transcript", () => {
    const block = (id: string, fields: object): object => ({ type: "tool_result", tool_use_id: id, ...fields });
    const rows: Row[] = [
      { type: "assistant", message: { content: [{ type: "tool_use", id: "call_1" }] } },
      { type: "user", message: { content: "Hello." } },
      {
        type: "user",
        message: { content: [{ type: "text", text: "x" }, block("call_1", { content: "no", is_error: true })] },
        tool_use_result: "Error: no",
      },
      { type: "user", message: { content: [block("call_2", { content: [] })] }, toolUseResult: { a: 1 } },
    ];
    expect(toolResults(rows)).toEqual([
      { id: "call_1", content: "no", isError: true, toolUseResult: "Error: no" },
      { id: "call_2", content: [], isError: undefined, toolUseResult: { a: 1 } },
    ]);
  });
});
