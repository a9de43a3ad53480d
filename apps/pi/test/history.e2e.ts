import { cpSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Session, SessionEvent } from "@notesoup/history";
import { createPiSandbox, type PiSandbox, printPi, readSessions, type RpcRecord, startPiRpc } from "@notesoup/host-pi";
import { type ChatRequest, lastToolText, startScriptedModel, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { CODEMODE, listHistory, printed, readHistory, scripted, TIME, toolTexts } from "./calls.ts";
import { corpusIn, DRIVER, filedSession, FIXTURES } from "./history-records.ts";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

const bash = (command: string): ToolCall => ({ name: "bash", args: { command } });

/** How a run of Pi ends in print mode. */
const DONE = { code: 0, signal: null, stdout: "Done.\n", stderr: "" };

/** What every result tells of an event, worked out from the session's file. */
function facts({ seq, role, time, tool }: SessionEvent): object {
  return {
    seq,
    role,
    created_at: time === null ? null : new Date(time).toISOString(),
    ...(tool === undefined ? {} : { tool: tool.tool, tool_status: tool.status }),
  };
}

/** The row of an event in a list of the default size. */
function rowOf(session: Session, event: SessionEvent): object {
  const document = session.document(event);
  const text = document.slice(0, 400);
  return { ...facts(event), text, ...(document === text ? {} : { more_chars: document.length - text.length }) };
}

/** What reading an event in one part gives. */
function readOf(session: Session, event: SessionEvent): object {
  const text = session.document(event);
  const nested = event.tool?.nested;
  return {
    ...facts(event),
    ...(nested === undefined ? {} : { nested_calls: { call_count: nested.callCount, complete: nested.complete } }),
    text,
    total_chars: text.length,
    next_offset_chars: null,
  };
}

/** Two prompts in print mode. */
async function inPrintMode(sandbox: PiSandbox, prompts: readonly string[]): Promise<readonly RpcRecord[]> {
  expect(await printPi(sandbox, prompts, { args: extension.args() })).toEqual(DONE);
  return [];
}

/** The same in RPC mode, with a branch between them that is left again. */
async function inRpcMode(
  sandbox: PiSandbox,
  [first = "", second = ""]: readonly string[],
): Promise<readonly RpcRecord[]> {
  const rpc = await startPiRpc(sandbox, { args: [...extension.args(), ...DRIVER] });
  await rpc.prompt(first);
  const { data } = await rpc.send({ type: "get_entries" });
  await rpc.prompt("Leave this.");
  await rpc.prompt(`/goto ${String(data?.["leafId"])}`);
  const { events } = await rpc.prompt(second);
  expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
  return events;
}

describe("the session in which the model works", () => {
  it.each([
    { mode: "print", run: inPrintMode, left: [], first: 3 },
    { mode: "RPC", run: inRpcMode, left: ["It is left."], first: 5 },
  ])(
    "in $mode mode is listed and read as its file has it afterwards, directly and in a script",
    async ({ mode, run, left, first }) => {
      const all = `const r = await tools.history_list({ roles: ["user", "assistant", "tool", "context"], limit: 200 }); if ("error" in r) return r.error;`;
      const reading = `const reads = []; for (const { seq } of r.items) reads.push(await tools.history_read({ seq })); return reads;`;
      await using model = await startScriptedModel({
        steps: [
          "Begun.",
          ...left,
          { text: "I look.", toolCalls: [bash("echo alpha"), bash("exit 3")] },
          { toolCalls: [listHistory({}), listHistory({ query: "O ALPHA", max_chars_per_item: 8 })] },
          { toolCalls: [readHistory({ seq: first + 2 }), readHistory({ seq: first + 2, offset_chars: -6 })] },
          { toolCalls: [scripted(`${all} return r.items`)] },
          { toolCalls: [scripted(`${all} ${reading}`)] },
          "Done.",
        ],
      });
      await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
      const events = await run(sandbox, ["Begin.", "What is here?"]);
      expect(model.problems).toEqual([]);

      const texts = model.requests.slice(-4).flatMap(toolTexts).slice(0, 4).map(timeless);
      const [at, called] = [first + 2, first + 6];
      expect(texts).toEqual([
        `seq 0 | context | TIME
  BOOT
seq 1 | user | TIME
  Begin.
seq 2 | assistant | TIME
  Begun.
seq ${first} | user | TIME
  What is here?
seq ${first + 1} | assistant | TIME
  I look.
seq ${at}–${called + 1} | 4 events folded | bash 2, history_list 2 | expand: history_list {"after_seq":${first + 1},"before_seq":${called + 2},"roles":["tool","context"],"from":"oldest"}`,
        // The call that searches for it is no hit.
        `seq ${at} | tool | TIME | bash ok · match at offset_chars 25 · around it after_seq=-1 before_seq=${at + 10}
  cho alph
  [+34 chars; history_read seq=${at}]`,
        `seq ${at} | tool | TIME | bash ok\n\nbash · ok\n{"command":"echo alpha"}\n\nalpha\n`,
        `seq ${at} | tool | TIME | bash ok\n\nalpha\n`,
      ]);

      const [file] = await readSessions(sandbox);
      const session = await filedSession(sandbox, `pi:${file?.header.id}`);
      const recorded = [...session.events];
      const scripts = recorded.filter(({ tool }) => tool?.tool === "codemode");
      const shown = model.requests.slice(-2).map(printed) as object[][];
      for (const [index, as] of [rowOf, readOf].entries()) {
        const [own, script] = [recorded.indexOf(scripts[index] as SessionEvent), shown[index]];
        expect(script?.slice(0, -1)).toEqual(recorded.slice(0, own).map((event) => as(session, event)));
        // The script that asks is still at work.
        expect(script?.at(-1)).toMatchObject({ seq: scripts[index]?.seq, tool: "codemode", tool_status: "pending" });
      }
      if (mode === "RPC") {
        const ends = events.filter(
          (event) => event.type === "tool_execution_end" && event["parentToolCallId"] === undefined,
        );
        const list = ends.find((event) => event["toolName"] === "history_list");
        expect(list).toMatchObject({ isError: false, result: { structuredContent: { page_older: null } } });
        expect(JSON.stringify(shown)).not.toContain("It is left.");
      }
    },
  );

  it("is found and read from before a reset, of which the model sees nothing any more", async () => {
    const secret = "The ticket is 4711.";
    await using model = await startScriptedModel({
      steps: [
        { text: "Noted.", toolCalls: [{ name: "reset" }] },
        { toolCalls: [listHistory({ query: "ticket" })] },
        { toolCalls: [readHistory({ seq: 1 })] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect(await printPi(sandbox, secret, { args: [...extension.args(), ...DRIVER] })).toEqual(DONE);
    const [, afterReset, found, read] = model.requests;
    expect(JSON.stringify(afterReset)).not.toContain(secret);
    expect(found && toolTexts(found).map(timeless)).toEqual([
      `seq 1 | user | TIME | match at offset_chars 4 · around it after_seq=-1 before_seq=11\n  ${secret}`,
    ]);
    expect(read && toolTexts(read).map(timeless)).toEqual([`seq 1 | user | TIME\n\n${secret}`]);
  });

  it("without a file is listed by the name that it has while it lasts, and leaves no file", async () => {
    const code = `
      const [live] = (await tools.history_list({ session: "*" })).items;
      const listed = await tools.history_list({ session: live.session, roles: ["user", "tool"] });
      const { text } = await tools.history_read({ session: live.session, seq: 2 });
      return { name: live.session, listed, text };`;
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [listHistory({})] }, { toolCalls: [scripted(code)] }, "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    expect(await printPi(sandbox, "Look.", { args: [...extension.args(), "--no-session"] })).toEqual(DONE);
    expect(model.requests[1] && toolTexts(model.requests[1]).map(timeless)).toEqual([
      "seq 0 | context | TIME\n  BOOT\nseq 1 | user | TIME\n  Look.\nseq 2 | tool | TIME | history_list pending\n  history_list · pending\n  {}",
    ]);
    const { name, listed, text } = printed(model.requests[2]) as Record<string, unknown>;
    expect(name).toMatch(/^pi:[0-9a-f-]{36}$/u);
    expect(listed).toMatchObject({
      session: name,
      items: [
        { session: name, seq: 1, role: "user", text: "Look." },
        { session: name, seq: 2, tool: "history_list", tool_status: "ok" },
        { session: name, seq: 4, tool: "codemode", tool_status: "pending" },
      ],
      page_older: null,
    });
    expect(text).toContain("history_list · ok\n{}\n\nseq 0 | context | ");
    expect(await readSessions(sandbox)).toEqual([]);
  });
});

/** A text in which no time stands, and a boot, which every session begins with, is only named. */
const timeless = (text: string): string =>
  text
    .replaceAll(new RegExp(TIME, "gu"), "TIME")
    .replace(/# Your memory, as of TIME[^]*?\n {2}\[\+\d+ chars; history_read seq=0\]/u, "BOOT");

describe("another session", () => {
  it("is found by a command in it, named in every way, and read in windows that concatenate, directly and in a script", async () => {
    const command = "seq -f 'line %g of the harvest' 1 1700 # rare-word";
    const lines = `Array.from({ length: 1700 }, (_, index) => "line " + (index + 1) + " of the harvest\\n").join("")`;
    const inScript = `
      const found = await tools.history_list({ session: "*", query: "RARE-WORD", roles: ["tool"] });
      if ("error" in found) return found.error;
      const hit = found.items.find(({ tool }) => tool === "bash");
      const windows = [];
      for (let at = 0; at !== null; at = windows.at(-1).next_offset_chars)
        windows.push(await tools.history_read({ session: hit.session, seq: hit.seq, offset_chars: at }));
      const document = "bash · ok\\n" + JSON.stringify({ command: "${command}" }) + "\\n\\n" + ${lines};
      return {
        hit,
        around: (await tools.history_list({ session: "*", ...hit.neighborhood })).items.map(({ seq }) => seq),
        isWhole: windows.map(({ text }) => text).join("") === document,
        facts: windows.map(({ text, ...facts }) => facts),
      };`;
    const naming = `
      const [hit] = (await tools.history_list({ session: "pi:*", query: "harvest", roles: ["user"] })).items;
      const id = hit.session.slice(3);
      const named = [];
      for (const session of [hit.session, id, id.slice(0, -1), hit.session.slice(0, -1)])
        named.push((await tools.history_list({ session, roles: ["user"] })).items);
      return named;`;
    /** What was read of the output. */
    let read = "";
    const readOn = (request: ChatRequest): { toolCalls: ToolCall[] } => {
      const text = lastToolText(request) ?? "";
      const { session, seq } =
        /^session (?<session>pi:\S+) \| seq (?<seq>\d+) \| tool \| \S+ \| bash ok/mu.exec(text)?.groups ?? {};
      const event = { session, seq: Number(seq) };
      if (text.includes("match at")) return { toolCalls: [readHistory(event)] };
      const next = /\[truncated; continue at offset_chars=(?<next>\d+)\]$/u.exec(text)?.groups?.["next"];
      // How much of the text is the event's, and not the line that says where to go on.
      const chars = next === undefined ? Infinity : Number(next) - read.length;
      read += text.slice(text.indexOf("\n\n") + 2).slice(0, chars);
      return {
        toolCalls: [next === undefined ? scripted(inScript) : readHistory({ ...event, offset_chars: Number(next) })],
      };
    };
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [bash(command)] },
        "Done.",
        { toolCalls: [listHistory({ session: "*", query: "rare-word" })] },
        readOn,
        readOn,
        readOn,
        { toolCalls: [scripted(naming)] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    for (const prompt of ["Count the harvest.", "How was that done?"])
      expect(await printPi(sandbox, prompt, { args: extension.args() })).toEqual(DONE);
    expect(model.problems).toEqual([]);

    const [earlier] = await readSessions(sandbox);
    const name = `pi:${earlier?.header.id}`;
    const session = await filedSession(sandbox, name);
    const event = session.event(2);
    const document = session.document(event);
    expect(read).toBe(document);
    for (const request of model.requests)
      for (const text of toolTexts(request).filter((result) => result.startsWith("session ")))
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_768);

    const whole = { ...facts(event), session: name };
    const cut = (printed(model.requests.at(-2)) as { facts: { next_offset_chars: number }[] }).facts[0]
      ?.next_offset_chars;
    expect(printed(model.requests.at(-2))).toEqual({
      hit: expect.objectContaining({ ...whole, match_offset_chars: document.indexOf("rare-word") }),
      around: [0, 1, 2, 4],
      isWhole: true,
      facts: [cut, null].map((next_offset_chars) => ({ ...whole, total_chars: document.length, next_offset_chars })),
    });
    const prompt = [{ ...facts(session.event(1)), session: name, text: "Count the harvest." }];
    expect(printed(model.requests.at(-1))).toEqual([prompt, prompt, prompt, prompt]);
  });

  it("of Claude Code or dsh is found where that keeps them, and read like one of Pi", async () => {
    const code = `
      const events = [];
      for (const harness of ["claude", "dsh"]) {
        const page = await tools.history_list({ session: harness + ":*" });
        if ("error" in page) return page.error;
        for (const { session, seq } of page.items) {
          const [, id] = session.split(":");
          events.push(await tools.history_read({ session: id, seq, limit_chars: 200 }));
          const [last] = (await tools.history_list({ session: id.slice(0, 8), roles: ["tool"], limit: 1 })).items;
          events.push(await tools.history_read({ session, seq: last.seq, limit_chars: 200 }));
        }
      }
      return events;`;
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [listHistory({ session: "claude:*" }), listHistory({ session: "dsh:*" })] },
        { toolCalls: [scripted(code)] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    const files = {
      "claude/session-before-clear.jsonl": ".claude/projects/-home-dev-project/classic1-aaaa.jsonl",
      "dsh/headless-code-mode-nested.jsonl.zstd": ".dsh/sessions/--project--/nested01-bbbb/session.jsonl.zstd",
      "dsh/headless-plain-uncompressed.jsonl": ".dsh/sessions/--project--/plain001-cccc/session.jsonl",
    };
    for (const [from, to] of Object.entries(files)) cpSync(new URL(from, FIXTURES), join(sandbox.home, to));
    expect(await printPi(sandbox, "What did the others do?", { args: extension.args() })).toEqual(DONE);

    const expected: object[] = [];
    const listed: string[] = [];
    for (const ref of [...(await corpusIn(sandbox).sessions("claude")), ...(await corpusIn(sandbox).sessions("dsh"))]) {
      const session = await filedSession(sandbox, ref.name);
      const events = [...session.events];
      const prompt = events.find(({ role }) => role === "user");
      listed.push(`session ${ref.name} | seq ${prompt?.seq} | user | `);
      for (const event of [prompt, events.findLast(({ role }) => role === "tool")]) {
        const read = readOf(session, event as SessionEvent) as { text: string; total_chars: number };
        const rest = read.total_chars > 200 ? { next_offset_chars: 200 } : {};
        expected.push({ ...read, session: ref.name, text: read.text.slice(0, 200), ...rest });
      }
    }
    expect(listed).toHaveLength(3);
    const texts = model.requests[1] && toolTexts(model.requests[1]).join("\n");
    for (const line of listed) expect(texts).toContain(line);
    expect(printed(model.requests[2])).toEqual(expected);
  });

  it("is found in each folder in which Pi is told to keep sessions, however it is told", async () => {
    const find = { toolCalls: [listHistory({ session: "pi:*" })] };
    await using model = await startScriptedModel({ steps: ["Kept.", find, "Done."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    cpSync(
      new URL("pi/session-clone-child.jsonl", FIXTURES),
      join(sandbox.agentDir, "sessions", "--home-dev-project--", "2026-11-30T10-00-00-000Z_elsewhere.jsonl"),
    );
    const rpc = await startPiRpc(sandbox, {
      args: [...extension.args(), "--session-dir", join(sandbox.root, "sessions")],
      // Pi reads this as a shell would.
      env: { PI_CODING_AGENT_DIR: "~/../agent" },
    });
    await rpc.prompt("Keep this.");
    await rpc.send({ type: "new_session" });
    await rpc.prompt("What is there?");
    expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
    const text = (model.requests[2] && lastToolText(model.requests[2])) ?? "";
    const [live, earlier] = (await readdir(join(sandbox.root, "sessions"))).toSorted().toReversed().map(idOfFile);
    expect(text.match(/(?<=^session )\S+/gmu)).toEqual([`pi:${live}`, `pi:${earlier}`, "pi:elsewhere"]);
  });
});

const idOfFile = (name: string): string => name.slice(name.indexOf("_") + 1, -".jsonl".length);
