import { cpSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPiSandbox, type PiSandbox, printPi } from "@notesoup/host-pi";
import { startScriptedModel, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { CODEMODE, listHistory, printed, readHistory, scripted, toolTexts } from "./calls.ts";
import { FIXTURES } from "./history-records.ts";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

/** A call that is refused, the code of the refusal, and what its message says. */
interface Refused {
  readonly call: ToolCall;
  readonly code: string;
  readonly says: string;
}

/** What the model has done when the refused calls are made: the events at the seqs 2, 3 and 4, behind the boot and the prompt. */
const DONE_BEFORE: readonly ToolCall[] = [
  { name: "bash", args: { command: "echo little" } },
  { name: "bash", args: { command: "printf 'much%.0s' $(seq 10000)" } },
  // No host has such a tool, but it records the call.
  { name: "n".repeat(33_000) },
];

const REFUSED: readonly Refused[] = [
  {
    call: readHistory({ session: "tree-0001", seq: 4000 }),
    code: "seq_not_found",
    says: "there is no event at seq 4000; the last one is at seq 34",
  },
  { call: readHistory({ session: "tree-0001", seq: -1 }), code: "seq_not_found", says: "there is no event at seq -1" },
  { call: readHistory({ seq: 5 }), code: "seq_not_found", says: "part of its call's event; read seq 2" },
  {
    call: readHistory({ session: "pi:tree-0001", seq: 8 }),
    code: "seq_not_found",
    says: "seq 8 is the place of a result, which is part of its call's event; read seq 2",
  },
  {
    call: readHistory({ session: "tree-0001", seq: 15 }),
    code: "seq_not_found",
    says: "seq 15 lies on a branch that is not active; list the events of the active one",
  },
  {
    call: listHistory({ session: "pi:nowhere" }),
    code: "session_not_found",
    says: 'there is no session "pi:nowhere"; check the name, or list the latest sessions with session "*"',
  },
  {
    call: listHistory({ session: "tree-" }),
    code: "session_not_found",
    says: "the beginning of a name needs at least 6 characters",
  },
  { call: listHistory({ session: "codex:*" }), code: "session_not_found", says: 'there is no session "codex:*"' },
  {
    call: readHistory({ session: "*", seq: 0 }),
    code: "session_not_found",
    says: "session names several; an event is read from one: name that",
  },
  {
    call: listHistory({ session: "twin-0" }),
    code: "ambiguous_session",
    says: '"twin-0" fits 2 sessions; name one whole: pi:twin-0002 in "/home/dev/second", last active 2026-11-30T10:00:02.000Z; pi:twin-0001 in "/home/dev/first", last active 2026-11-30T10:00:01.000Z',
  },
  {
    call: listHistory({ session: "dsh:newer-0001" }),
    code: "session_unreadable",
    says: 'the session is of format version "1"; of DeepSeek Harness only version 0 can be read',
  },
  {
    call: listHistory({ session: "*", after_seq: 3 }),
    code: "wildcard_bounds",
    says: "after_seq and before_seq count the events of one session, and the call is for several; name one",
  },
  { call: listHistory({ session: "pi:*", before_seq: 3 }), code: "wildcard_bounds", says: "name one" },
  {
    call: listHistory({ after_seq: 3, before_seq: 3 }),
    code: "invalid_range",
    says: "before_seq 3 is not above after_seq 3",
  },
  {
    call: listHistory({ since: "2026-11-30T10:00:00Z", until: "2026-11-30T11:00:00+01:00" }),
    code: "invalid_range",
    says: "until is not later than since",
  },
  {
    call: listHistory({ limit: 201 }),
    code: "invalid_range",
    says: "limit is 201; it must be a whole number from 1 to 200",
  },
  { call: listHistory({ max_chars_per_item: 0 }), code: "invalid_range", says: "max_chars_per_item is 0" },
  { call: listHistory({ query: "q".repeat(10_001) }), code: "invalid_range", says: "query has 10001 UTF-16 units" },
  { call: readHistory({ seq: 0, limit_chars: 0 }), code: "invalid_range", says: "limit_chars is 0" },
  {
    call: listHistory({ since: "yesterday" }),
    code: "invalid_time",
    says: 'since is "yesterday"; give an ISO 8601 time',
  },
  { call: listHistory({ until: "2026-02-30" }), code: "invalid_time", says: 'until is "2026-02-30"' },
  {
    call: listHistory({ roles: ["tool"], after_seq: 2, before_seq: 4, max_chars_per_item: 40_000 }),
    code: "page_too_large",
    says: "lower max_chars_per_item, narrow with roles, since or until, go past this row with before_seq=3",
  },
  {
    call: readHistory({ seq: 4 }),
    code: "output_too_large",
    says: "seq 4 cannot be delivered: what is known of it beside its text",
  },
];

/** Where a session's file of Pi lies. */
function piFile({ agentDir }: PiSandbox, id: string): string {
  const folder = join(agentDir, "sessions", "--home-dev-project--");
  mkdirSync(folder, { recursive: true });
  return join(folder, `2026-11-30T10-00-00-000Z_${id}.jsonl`);
}

/** A session's file of Pi, as short as one can be. */
function writePiSession(sandbox: PiSandbox, id: string, cwd: string, said: string): void {
  const timestamp = "2026-11-30T10:00:00.000Z";
  const records = [
    { type: "session", version: 3, id, timestamp, cwd },
    { type: "message", id: "0000000a", parentId: null, timestamp, message: { role: "user", content: said } },
  ];
  writeFileSync(piFile(sandbox, id), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** A session's file of a dsh that is newer than this. */
function writeNewerDshSession(sandbox: PiSandbox): void {
  const folder = join(sandbox.home, ".dsh", "sessions", "--project--", "newer-0001");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "session.jsonl"), '{"type":"session","version":1,"id":"newer-0001","said":"the same"}\n');
}

/** The files of all sessions with their bytes. */
function sessionFiles({ agentDir, home }: PiSandbox): Map<string, string> {
  const files = [agentDir, home].flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }));
  const paths = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.filter((path) => path.includes(".jsonl")).map((path) => [path, readFileSync(path, "latin1")]));
}

describe("each refusal", () => {
  it("is one coded line that says what would work, directly and in a script, and changes no session", async () => {
    const inScript = `return [${REFUSED.map(({ call }) => `await tools.${call.name}(${JSON.stringify(call.args)})`).join(", ")}];`;
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: DONE_BEFORE },
        { toolCalls: REFUSED.map(({ call }) => call) },
        { toolCalls: [scripted(inScript)] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({
      modelUrl: model.url,
      settings: CODEMODE,
      models: [{ id: "scripted-model", contextWindow: 10_000_000 }],
    });
    cpSync(new URL("pi/session-tree-bash-branch-compaction.jsonl", FIXTURES), piFile(sandbox, "tree-0001"));
    for (const [id, place, second] of [
      ["twin-0001", "first", 1],
      ["twin-0002", "second", 2],
    ] as const) {
      writePiSession(sandbox, id, `/home/dev/${place}`, "Hello.");
      const time = new Date(`2026-11-30T10:00:0${second}Z`);
      utimesSync(piFile(sandbox, id), time, time);
    }
    writeNewerDshSession(sandbox);
    const before = sessionFiles(sandbox);
    expect(await printPi(sandbox, "Go.", { args: extension.args() })).toEqual({
      code: 0,
      signal: null,
      stdout: "Done.\n",
      stderr: "",
    });
    expect(model.problems).toEqual([]);

    const [, , direct, inCode] = model.requests;
    const texts = (direct && toolTexts(direct)) ?? [];
    expect(texts).toHaveLength(REFUSED.length);
    for (const [index, { code, says }] of REFUSED.entries()) {
      expect(texts[index]).toMatch(new RegExp(`^error: ${code}: .+$`, "u"));
      expect(texts[index]).toContain(says);
      expect(texts[index]).not.toContain(sandbox.root);
    }
    expect(printed(inCode)).toEqual(
      texts.map((text, index) => ({
        error: text.slice(`error: ${REFUSED[index]?.code}: `.length),
        code: REFUSED[index]?.code,
      })),
    );
    const after = sessionFiles(sandbox);
    for (const [path, bytes] of before) expect(after.get(path)).toBe(bytes);
  });
});

describe("a session that cannot be read", () => {
  it("among fifty does not stop a call for all of them, which names it", async () => {
    const calls = [
      listHistory({ session: "*", limit: 200, max_chars_per_item: 20 }),
      listHistory({ session: "*", limit: 200, query: "THE SAME", roles: ["user"] }),
      listHistory({ session: "dsh:*" }),
    ];
    const inScript = `return [${calls.map(({ args }) => `await tools.history_list(${JSON.stringify(args)})`).join(", ")}];`;
    await using model = await startScriptedModel({
      steps: [{ toolCalls: calls }, { toolCalls: [scripted(inScript)] }, "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    const ids = Array.from({ length: 50 }, (_, index) => `old-${String(index).padStart(4, "0")}`);
    for (const id of ids) writePiSession(sandbox, id, sandbox.cwd, `It says the same in ${id}.`);
    writeNewerDshSession(sandbox);
    expect(await printPi(sandbox, "Go.", { args: extension.args() })).toMatchObject({ code: 0, stderr: "" });

    for (const text of (model.requests[1] && toolTexts(model.requests[1])) ?? [])
      expect(text.split("\n")).toContain("unreadable session dsh:newer-0001 · session_unreadable");
    const sessions_unreadable = [{ session: "dsh:newer-0001", code: "session_unreadable" }];
    const [all, found, none] = printed(model.requests[2]) as {
      readonly items: readonly { readonly session: string }[];
    }[];
    const names = ids.map((id) => `pi:${id}`);
    expect(all).toMatchObject({ sessions_unreadable });
    expect(
      all?.items
        .slice(1)
        .map(({ session }) => session)
        .toSorted(),
    ).toEqual(names);
    expect(found).toMatchObject({ sessions_unreadable });
    expect(found?.items.map(({ session }) => session).toSorted()).toEqual(names);
    expect(none).toEqual({ items: [], page_older: null, page_newer: null, sessions_unreadable });
  });
});
