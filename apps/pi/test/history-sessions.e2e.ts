import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAcrossSessions, type Session } from "@notesoup/history";
import {
  createPiSandbox,
  type PiRpc,
  type PiSandbox,
  printPi,
  readSessions,
  type RpcRecord,
  type SessionEntry,
  type SessionFile,
  startPiRpc,
} from "@notesoup/host-pi";
import { startScriptedModel, type ToolCall } from "@notesoup/scripted-model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CODEMODE, scripted } from "./calls.ts";
import { branchOfPi, corpusIn, DRIVER, filedSession, seqsOf, seqsOnBranch, told } from "./history-records.ts";

const bash = (command: string): ToolCall => ({ name: "bash", args: { command } });

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** The session's entries as Pi has them now. */
async function entriesOf(rpc: PiRpc): Promise<readonly SessionEntry[]> {
  const { data } = await rpc.send({ type: "get_entries" });
  return data?.["entries"] as SessionEntry[];
}

/** The id of the last entry in which a text stands. */
async function idOf(rpc: PiRpc, text: string): Promise<string> {
  const found = (await entriesOf(rpc)).findLast((entry) => JSON.stringify(entry).includes(JSON.stringify(text)));
  return found?.id ?? "";
}

/** How a run of Pi ended, what it wrote beside its output, and what was wrong with the model's script. */
interface Run {
  readonly code: number | null;
  readonly stderr: string;
  readonly problems: readonly unknown[];
}
const FLAWLESS: Run = { code: 0, stderr: "", problems: [] };

function documentAt(session: Session | undefined, seq: number): string {
  return session?.document(session.event(seq)) ?? "";
}

/** That a session's events are those of the branch that Pi had, and that nothing of its file was lost. */
function assertBranchOfPi(sandbox: PiSandbox, session: Session | undefined, file: SessionFile | undefined): void {
  const branch = branchOfPi(sandbox, file?.header.id ?? "");
  expect(branch.length).toBeGreaterThan(0);
  expect(session && seqsOf(session)).toEqual(file && seqsOnBranch(file, branch));
  expect(session?.damage).toEqual({ lines: 0, bytes: 0 });
}

describe("a session with branches, and what was cloned and forked from it", () => {
  let sandbox: PiSandbox;
  let run: Run;
  /** The session, its clone, and the fork of that. */
  let files: readonly SessionFile[];
  let sessions: readonly Session[];

  beforeAll(async () => {
    // A compaction that cuts a turn in two asks for a summary of both parts.
    const words = [
      "First.",
      "Second.",
      "Left.",
      "It was left.",
      "Third.",
      "A summary.",
      "A summary.",
      "Cloned.",
      "Forked.",
    ];
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [bash("echo one"), { name: "read", args: { path: "pixel.png" } }, bash("seq 1 5000")] },
        ...words,
      ],
    });
    // So little is kept at a compaction that there is something to compact.
    sandbox = await createPiSandbox({ modelUrl: model.url, settings: { compaction: { keepRecentTokens: 1 } } });
    writeFileSync(join(sandbox.cwd, "pixel.png"), PIXEL);
    await using rpc = await startPiRpc(sandbox, { args: DRIVER });
    await rpc.prompt("one");
    await rpc.send({ type: "bash", command: "echo typed; exit 2" });
    await rpc.send({ type: "bash", command: "seq 1 4000" });
    await rpc.prompt("two");
    await rpc.prompt(`/goto ${await idOf(rpc, "First.")}`);
    await rpc.prompt("elsewhere");
    await rpc.prompt(`/goto ${await idOf(rpc, "Second.")} summarize`);
    await rpc.prompt("three");
    await rpc.send({ type: "compact" });
    // A copy is told from what a clone adds by its time, which is one of whole milliseconds.
    const compacted = Date.parse((await entriesOf(rpc)).at(-1)?.timestamp ?? "");
    while (Date.now() <= compacted) await rpc.send({ type: "get_state" });
    await rpc.send({ type: "clone" });
    await rpc.prompt("in the clone");
    await rpc.send({ type: "fork", entryId: await idOf(rpc, "in the clone") });
    await rpc.prompt("in the fork");
    run = { code: await rpc.close(), stderr: rpc.stderr, problems: model.problems };
    files = await readSessions(sandbox);
    sessions = await Promise.all(files.map(({ header }) => filedSession(sandbox, `pi:${header.id}`)));
  });
  afterAll(() => sandbox.dispose());

  it("shows the branch that Pi itself takes for active, by the seqs of its file's order", () => {
    expect(run).toEqual(FLAWLESS);
    expect(files).toHaveLength(3);
    for (const [index, file] of files.entries()) assertBranchOfPi(sandbox, sessions[index], file);
  });

  it("shows words, executions of the model and of a person, and summaries, each once", () => {
    expect(told(sessions[0])).toEqual([
      '0 user "one"',
      String.raw`1 tool bash ok "bash · ok\n{\"command\":\"echo one\"}\n\none\n"`,
      String.raw`2 tool read ok "read · ok\n{\"path\":\"pixel.png\"}\n\nRead image file [image/png]\n…"`,
      String.raw`3 tool bash ok truncated "bash · ok\n{\"command\":\"seq 1 5000\"}\n\n3001\n3002\n3003\n3004\n3005…"`,
      // 4, 5 and 6 are the results.
      '7 assistant "First."',
      String.raw`8 tool bash error "bash · error\n{\"command\":\"echo typed; exit 2\"}\n\ntyped\n"`,
      String.raw`10 tool bash ok truncated "bash · ok\n{\"command\":\"seq 1 4000\"}\n\n2001\n2002\n2003\n2004\n2005…"`,
      '12 user "two"',
      '13 assistant "Second."',
      // 14 and 15 lie on the branch that was left.
      String.raw`16 context "[branch summary]\nThe user explored a different conversation …"`,
      '17 user "three"',
      '18 assistant "Third."',
      String.raw`19 context "[compaction]\nA summary.\n\n---\n\n**Turn Context (split turn):**…"`,
    ]);
    expect(documentAt(sessions[0], 16)).toMatch(/\nIt was left\.$/u);
  });

  it("tells where the whole of a cut output is, and shows an image as a mark", () => {
    for (const { seq, last } of [
      { seq: 3, last: 5000 },
      { seq: 10, last: 4000 },
    ]) {
      const path = sessions[0]?.event(seq).tool?.fullOutputPath ?? "";
      expect(path.startsWith(sandbox.tmp)).toBe(true);
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      expect([lines.length, lines.at(-1)]).toEqual([last, String(last)]);
      expect(documentAt(sessions[0], seq)).toContain(`\n${last}`);
    }
    expect(documentAt(sessions[0], 2)).toBe(
      'read · ok\n{"path":"pixel.png"}\n\nRead image file [image/png]\n[image: image/png, 70 bytes]',
    );
  });

  it("begins no window at a compaction that keeps something", () => {
    expect(
      sessions.map(({ windows }) => windows.map(({ firstSeq, lastSeq, events }) => [firstSeq, lastSeq, events])),
    ).toEqual([[[0, 19, 13]], [[0, 19, 15]], [[0, 19, 15]]]);
  });

  it("repeats in a clone and a fork what the branch had, as copies with seqs of their own", () => {
    const [original = [], clone = [], fork = []] = sessions.map(told);
    const texts = original.map((line) => line.replace(/^\d+ \w+ /u, ""));
    for (const [copy, words] of [
      [clone, ['18 user "in the clone"', '19 assistant "Cloned."']],
      [fork, ['18 user "in the fork"', '19 assistant "Forked."']],
    ] as const) {
      expect(copy.slice(0, -2).map((line) => line.replace(/^\d+ \w+ copy /u, ""))).toEqual(texts);
      expect(copy.slice(-2)).toEqual(words);
    }
  });

  it("is, in a search of all sessions, the one that tells of what was copied from it", async () => {
    const found = await listAcrossSessions(corpusIn(sandbox), {
      harness: undefined,
      queries: ["echo one", "in the clone", "in the fork", "elsewhere"],
      limit: 20,
      maxChars: 100,
    });
    expect(found.rows.map(({ session, event }) => [session, event.seq])).toEqual([
      [`pi:${files[2]?.header.id}`, 18],
      [`pi:${files[1]?.header.id}`, 18],
      [`pi:${files[0]?.header.id}`, 1],
    ]);
  });
});

describe("a session with calls in calls and a reset", () => {
  let sandbox: PiSandbox;
  let run: Run;
  let file: SessionFile | undefined;
  let session: Session | undefined;

  beforeAll(async () => {
    const script = `
      await tools.write({ path: "big.txt", content: "x".repeat(9000) });
      try { await tools.read({ path: "none.txt" }); } catch {}
      for (let count = 0; count < 300; count++) await tools.read({ path: "big.txt", limit: 1 });
      return "all done";`;
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [scripted(script)] },
        { thinking: "It worked.", text: "Done." },
        { toolCalls: [bash("echo beside it"), { name: "reset" }] },
        "After.",
        "Later.",
      ],
    });
    sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    const { code, stderr } = await printPi(sandbox, ["Go.", "Reset.", "And on."], { args: DRIVER });
    run = { code, stderr, problems: model.problems };
    [file] = await readSessions(sandbox);
    session = await filedSession(sandbox, `pi:${file?.header.id}`);
  });
  afterAll(() => sandbox.dispose());

  it("shows the branch that Pi itself takes for active, by the seqs of its file's order", () => {
    expect(run).toEqual(FLAWLESS);
    assertBranchOfPi(sandbox, session, file);
  });

  it("tells of as many nested calls as Pi keeps, of what it left out, and that there were more", () => {
    expect(session?.event(1).tool).toMatchObject({
      tool: "codemode",
      status: "ok",
      nested: { callCount: 256, complete: false },
    });
    const [head = "", ...lines] = documentAt(session, 1).split("\n\n").at(-1)?.split("\n") ?? [];
    expect(head).toBe("nested calls: 256 · incomplete");
    expect(lines).toHaveLength(256);
    expect(lines.slice(0, 3).concat(lines.slice(-1))).toEqual([
      expect.stringMatching(/^call_1\/1 · write · ok · \d+ ms · arguments omitted by host \(9\d\d\d bytes\)$/u),
      expect.stringMatching(/^call_1\/2 · read · error · \d+ ms · \{"path":"none\.txt"\} · error: ENOENT/u),
      expect.stringMatching(/^call_1\/3 · read · ok · \d+ ms · \{"path":"big\.txt","limit":1\}$/u),
      expect.stringMatching(/^call_1\/256 · read · ok · \d+ ms · \{"path":"big\.txt","limit":1\}$/u),
    ]);
    // What a nested call gave back is nowhere but in what the script made of it.
    expect(documentAt(session, 1)).toContain('<json>"all done"</json>');
    expect(documentAt(session, 1)).not.toContain("xxxx");
  });

  it("begins a window at a reset, in which what the reset left is the first", () => {
    expect(told(session).slice(2)).toEqual([
      String.raw`3 assistant "[reasoning]\nIt worked.\n\n[answer]\nDone."`,
      '4 user "Reset."',
      String.raw`5 tool bash ok "bash · ok\n{\"command\":\"echo beside it\"}\n\nbeside it\n"`,
      String.raw`6 tool reset ok "reset · ok\n{}\n\nArmed."`,
      String.raw`9 context "[driver]\n{\"resets\":1}"`,
      String.raw`10 context "[compaction]\nNothing is kept."`,
      '11 context "What to go on with."',
      '12 assistant "After."',
      '13 user "And on."',
      '14 assistant "Later."',
    ]);
    expect(session?.windows).toEqual([
      { firstSeq: 0, lastSeq: 9, events: 7, startedAt: session?.event(0).time },
      { firstSeq: 10, lastSeq: 14, events: 5, startedAt: session?.event(10).time },
    ]);
  });
});

/** A session as it is at one time; its file may be another one later. */
interface Seen {
  readonly lines: readonly string[];
  readonly seqs: readonly string[];
  readonly damage: Session["damage"];
}

async function seen(sandbox: PiSandbox, name: string): Promise<Seen> {
  const session = await filedSession(sandbox, name);
  return { lines: told(session), seqs: seqsOf(session), damage: session.damage };
}

describe("a session whose tools were aborted, and whose host died", () => {
  let sandbox: PiSandbox;
  const runs: Run[] = [];
  let death = "";
  let id = "";
  /** The document of the script that was aborted. */
  let script = "";
  let crashed: Seen;
  let taken: Seen;
  let cut: Seen;
  let takenAgain: Seen;
  let cutBytes = 0;
  /** What the session's branch is when Pi has taken it up again after the crash, and after the cut. */
  const ofPi: string[][] = [];

  beforeAll(async () => {
    const slow = "echo begun; sleep 60";
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [bash(slow)] },
        { toolCalls: [scripted(`await tools.bash({ command: "${slow}" });`)] },
        { text: "This ends badly.", toolCalls: [{ name: "die" }, bash("echo beside it")] },
        "Here again.",
        "And again.",
      ],
    });
    sandbox = await createPiSandbox({ modelUrl: model.url, settings: CODEMODE });
    const rpc = await startPiRpc(sandbox, { args: DRIVER });
    for (const prompt of ["Sleep.", "Sleep in a script."]) {
      const from = rpc.events.length;
      const prompted = rpc.prompt(prompt);
      await rpc.waitFor(isBegun, { from, what: "the command's first output" });
      await rpc.send({ type: "abort" });
      await prompted;
    }
    death = String(await rpc.prompt("Die.").catch((error: unknown) => error));
    runs.push({ code: null, stderr: rpc.stderr, problems: [] });

    const [file] = await readSessions(sandbox);
    const path = file?.path ?? "";
    id = file?.header.id ?? "";
    script = documentAt(await filedSession(sandbox, id), 5);
    crashed = await seen(sandbox, id);
    await takeUp();
    taken = await seen(sandbox, id);
    const text = readFileSync(path, "utf8");
    const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
    cutBytes = Math.floor((text.length - lastLine) / 2);
    truncateSync(path, lastLine + cutBytes);
    cut = await seen(sandbox, id);
    await takeUp();
    takenAgain = await seen(sandbox, id);

    async function takeUp(): Promise<void> {
      const { code, stderr } = await printPi(sandbox, "Go on.", { args: ["--continue", ...DRIVER] });
      runs.push({ code, stderr, problems: [...model.problems] });
      ofPi.push(seqsOnBranch({ entries: readableEntries(path) }, branchOfPi(sandbox, id)));
    }
  });
  afterAll(() => sandbox.dispose());

  const BEFORE_THE_CRASH = [
    '0 user "Sleep."',
    String.raw`1 tool bash error "bash · error\n{\"command\":\"echo begun; sleep 60\"}\n\nbegun\n\n\nCom…"`,
    String.raw`3 assistant "[error: This operation was aborted]\n[aborted]"`,
    '4 user "Sleep in a script."',
    String.raw`5 tool codemode error "codemode · error\n{\"code\":\"text(\\\"<json>\\\" + JSON.stringify(a…"`,
    String.raw`7 assistant "[error: This operation was aborted]\n[aborted]"`,
    '8 user "Die."',
    '9 assistant "This ends badly."',
    String.raw`10 tool die unfinished "die · unfinished\n{}"`,
    String.raw`11 tool bash unfinished "bash · unfinished\n{\"command\":\"echo beside it\"}"`,
  ];

  it("shows what was aborted as an error, and what has no result as unfinished", () => {
    expect(runs).toEqual([{ ...FLAWLESS, code: null }, FLAWLESS, FLAWLESS]);
    expect(death).toContain("Pi ended with SIGKILL");
    expect(crashed.lines).toEqual(BEFORE_THE_CRASH);
    expect(crashed.damage).toEqual({ lines: 0, bytes: 0 });
  });

  it("tells of a nested call that was aborted that it is unfinished", () => {
    expect(script.split("\n\n").at(-1)).toBe(
      'nested calls: 1 · incomplete\ncall_2/1 · bash · unfinished · {"command":"echo begun; sleep 60"}',
    );
  });

  it("keeps its seqs when Pi takes it up again, on the branch that Pi goes on with", () => {
    expect(taken.lines).toEqual([...BEFORE_THE_CRASH, '12 user "Go on."', '13 assistant "Here again."']);
    expect(taken.seqs).toEqual(ofPi[0]);
  });

  it("is read up to a line that was cut and, once Pi goes on behind it, beyond", () => {
    const damage = { lines: 1, bytes: cutBytes };
    expect(cut).toMatchObject({ lines: [...BEFORE_THE_CRASH, '12 user "Go on."'], damage });
    expect(takenAgain).toMatchObject({
      lines: [...BEFORE_THE_CRASH, '12 user "Go on."', '13 user "Go on."', '14 assistant "And again."'],
      damage,
    });
    expect(takenAgain.seqs).toEqual(ofPi[1]);
  });
});

const isBegun = (record: RpcRecord): boolean =>
  record.type === "tool_execution_update" && JSON.stringify(record).includes(String.raw`begun\n`);

/** The entries of a file, without the lines that are none. */
function readableEntries(path: string): SessionEntry[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line): SessionEntry[] => {
      try {
        return [JSON.parse(line) as SessionEntry];
      } catch {
        return [];
      }
    });
}
