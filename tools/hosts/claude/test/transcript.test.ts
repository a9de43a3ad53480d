import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import { parseRows, readTranscripts } from "../src/index.ts";

const user = { type: "user", uuid: "u1", timestamp: "2026-01-01T00:00:01.000Z", message: { content: "a\u2028b" } };
const jsonl = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

describe("the rows of a file", () => {
  it("are cut at LF only", () => {
    const text = jsonl({ type: "mode" }, user);
    expect(text).toContain("\u2028");
    expect(parseRows(text)).toEqual([{ type: "mode" }, user]);
  });

  it.each([
    ["a last line that is cut", `${jsonl(user)}{"type":"us`, "t.jsonl: the last line is cut"],
    ["a line that is not JSON", `${jsonl(user)}{\n`, "t.jsonl, line 2 is no row"],
    ["a line without a type", jsonl(user, { uuid: "u2" }), "t.jsonl, line 2 is no row"],
  ])("with %s are refused", (_, text, message) => {
    expect(() => parseRows(text, "t.jsonl")).toThrow(message);
  });
});

describe("the transcripts of a sandbox", () => {
  it("are none before Claude Code has written one", async () => {
    expect(await readTranscripts({ configDir: await temporaryFolder() })).toEqual([]);
  });

  it("are those of all projects, the oldest first, each with its subagents", async () => {
    const configDir = await temporaryFolder();
    const write = async (path: string, ...rows: readonly object[]): Promise<void> => {
      const file = join(configDir, "projects", path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, jsonl(...rows));
    };
    await write("-a/1.jsonl", { type: "mode" }, { type: "user", timestamp: "2026-01-02T00:00:00.000Z" });
    await write("-b/2.jsonl", { type: "mode" }, user);
    await write("-b/2/subagents/agent-y.jsonl", { type: "user", agentId: "y" });
    await write("-b/2/subagents/agent-x.jsonl", { type: "user", agentId: "x" });
    await write("-b/2/subagents/agent-x.meta.json", {});
    await write("-b/2/tool-results/call_1.txt", {});
    const found = await readTranscripts({ configDir });
    expect(found.map(({ sessionId }) => sessionId)).toEqual(["2", "1"]);
    expect(found[0]?.rows).toEqual([{ type: "mode" }, user]);
    expect(found[0]?.subagents.map(({ rows }) => rows)).toEqual([
      [{ type: "user", agentId: "x" }],
      [{ type: "user", agentId: "y" }],
    ]);
    expect(found[1]?.subagents).toEqual([]);
  });
});
