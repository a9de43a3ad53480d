import { temporaryFolder } from "@notesoup/testing";
import { expect, it } from "vitest";
import { createClaudeSandbox, printClaude, type PrintResult } from "../src/index.ts";
import { standInProgram } from "./stand-in.ts";

/** A run of a stand-in that writes `stdout`. */
async function printed(stdout: string): Promise<PrintResult> {
  await using sandbox = await createClaudeSandbox({ modelUrl: "http://127.0.0.1:9", root: await temporaryFolder() });
  const binary = await standInProgram(`process.stdout.write(${JSON.stringify(stdout)});`);
  return await printClaude(sandbox, "Hello?", { binary });
}

it("tells the rows of the output from what else is there, and names the last result", async () => {
  const result = { type: "result", subtype: "success", is_error: false, result: "a\u2028b" };
  const { rows, strays, ...run } = await printed(
    `{"type":"system"}\nA line of a log.\n{"type":"result","result":"old"}\n${JSON.stringify(result)}\n[1]\n{"type":"cut`,
  );
  expect(rows).toEqual([{ type: "system" }, { type: "result", result: "old" }, result]);
  expect(strays).toEqual(["A line of a log.", "[1]", '{"type":"cut']);
  expect(run).toMatchObject({ code: 0, result });
});

it("knows of no result where there is none", async () => {
  expect(await printed("")).toMatchObject({ rows: [], strays: [], result: undefined });
});
