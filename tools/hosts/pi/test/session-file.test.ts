import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSession, readSessions } from "../src/index.ts";
import { temporaryFolder } from "./temporary.ts";

const header = { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/project" };
const entry = {
  type: "message",
  id: "e1",
  parentId: null,
  timestamp: "2026-01-01T00:00:01.000Z",
  message: { role: "user", content: "a\u2028b" },
};
const jsonl = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

describe("a session's file", () => {
  it("is a header and entries, cut at LF only", () => {
    const text = jsonl(header, entry);
    expect(text).toContain("\u2028");
    expect(parseSession(text)).toEqual({ header, entries: [entry] });
  });

  it.each([
    ["whose last line is cut", jsonl(header) + '{"type":"mess', "s.jsonl: the last line is cut"],
    ["with a line that is not JSON", `${jsonl(header)}{\n`, "s.jsonl, line 2 is not JSON"],
    ["with a line that is no entry", jsonl(header, { type: "message" }), "s.jsonl, line 2 has no `type` and `id`"],
    ["without a header", jsonl(entry), "s.jsonl does not begin with a session's header"],
    ["that is empty", "", "s.jsonl does not begin with a session's header"],
  ])("%s is refused", (_, text, message) => {
    expect(() => parseSession(text, "s.jsonl")).toThrow(message);
  });
});

describe("the sessions of a sandbox", () => {
  it("are none before Pi has written one", async () => {
    expect(await readSessions({ agentDir: await temporaryFolder() })).toEqual([]);
  });

  it("are those of all projects, the oldest first", async () => {
    const agentDir = await temporaryFolder();
    const write = async (project: string, file: string, id: string): Promise<void> => {
      const folder = join(agentDir, "sessions", project);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, file), jsonl({ ...header, id }));
    };
    await write("--a--", "2026-01-02T00-00-00-000Z_s2.jsonl", "s2");
    await write("--b--", "2026-01-01T00-00-00-000Z_s1.jsonl", "s1");
    await write("--b--", "notes.txt", "none");
    expect((await readSessions({ agentDir })).map((session) => session.header.id)).toEqual(["s1", "s2"]);
  });
});
