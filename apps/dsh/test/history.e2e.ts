import { join } from "node:path";
import { createHistoryCorpus, type Session } from "@notesoup/history";
import { type DshSandbox, driveDsh, runHeadless } from "@notesoup/host-dsh";
import { startDeepseekModel } from "@notesoup/scripted-model";
import { temporaryFolder } from "@notesoup/testing";
import { expect, it } from "vitest";
import { CODE_MODE, emptyBrain, listHistory, read, returned, scripted, toolTexts, write } from "./calls.ts";
import { packedRows } from "./packed-rows.ts";

const rows = packedRows();

/** What a list tells of an event, in short. */
interface Row {
  readonly seq: number;
  readonly role: string;
  readonly created_at: string | null;
  readonly tool?: string;
  readonly tool_status?: string;
  readonly text: string;
}

/** A script that lists the whole session. */
const LIST = scripted(
  `const r = await tools.history_list({ roles: ["user", "assistant", "tool", "context"], limit: 200, max_chars_per_item: 60 }); return r.items;`,
);

/** A session as its log has it. */
async function persisted({ dshHome }: DshSandbox, id: string): Promise<Session> {
  const corpus = createHistoryCorpus({ roots: { dsh: [join(dshHome, "sessions")] } });
  const ref = await corpus.select(`dsh:${id}`);
  if ("kind" in ref) throw new Error("A session was to be selected.");
  return corpus.open(ref);
}

/** The same rows, worked out from the log. */
function rowsOf(session: Session): Row[] {
  return Array.from({ length: session.events.length }, (_, index) => session.events.at(index)).flatMap((event) =>
    event === undefined
      ? []
      : [
          {
            seq: event.seq,
            role: event.role,
            created_at: event.time === null ? null : new Date(event.time).toISOString(),
            ...(event.tool !== undefined && { tool: event.tool.tool, tool_status: event.tool.status }),
            text: session.document(event).slice(0, 60),
          },
        ],
  );
}

const short = ({ seq, role, created_at, tool, tool_status, text }: Row): Row => ({
  seq,
  role,
  created_at,
  ...(tool !== undefined && { tool }),
  ...(tool_status !== undefined && { tool_status }),
  text: text.slice(0, 60),
});

it("of the live session has the seqs, times and texts that its log has afterwards, over a reset, a resume and a fork", async () => {
  const work = { toolCalls: [write({ address: "a", content: "x" }), read({ address: "none" })] };
  const reset = { toolCalls: [emptyBrain] };
  await using model = await startDeepseekModel({
    steps: [
      work,
      { toolCalls: [LIST] },
      reset,
      { toolCalls: [LIST] },
      "Done.",
      { toolCalls: [LIST] },
      "Done.",
      { toolCalls: [LIST] },
      "Done.",
    ],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url, env: CODE_MODE });
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "parent", cwd: sandbox.cwd });
  await dsh.prompt("One.");
  await dsh.send({ do: "dispose" });
  await dsh.send({ do: "resume", session: "parent" });
  await dsh.prompt("Two.");
  await dsh.send({ do: "fork", session: "child", turns: 1 });
  await dsh.prompt("Other.");
  expect([await dsh.close(), dsh.stderr, model.problems]).toEqual([0, "", []]);

  const parent = rowsOf(await persisted(sandbox, "parent"));
  const child = rowsOf(await persisted(sandbox, "child"));
  const live = [2, 4, 6, 8].map((request) => (returned(model.requests[request]) as Row[]).map(short));
  expect(live.map((list) => list.length)).toEqual([6, 10, 13, 14]);
  for (const [index, list] of live.entries()) {
    // The listing call itself had no result then.
    const of = index === 3 ? child : parent;
    expect(list.slice(0, -1)).toEqual(of.slice(0, list.length - 1));
    expect(list.at(-1)).toMatchObject({ tool: "run_code", tool_status: "pending" });
  }
  expect((await persisted(sandbox, "parent")).windows).toHaveLength(2);
});

it("looks into other sessions by name and by a query, and tells what a fork has copied once, at its origin", async () => {
  const query = { session: "dsh:*", query: "quizzical", roles: ["user"] };
  await using model = await startDeepseekModel({
    steps: [
      "Done.",
      { toolCalls: [listHistory(query), listHistory({ session: "earlier" })] },
      "Done.",
      { toolCalls: [listHistory(query)] },
      "Done.",
    ],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "earlier-one", cwd: sandbox.cwd });
  await dsh.prompt("A rare word: quizzical.");
  await dsh.send({ do: "fork", session: "fork-of-it", turns: 1 });
  await dsh.prompt("Look.");
  await dsh.close();
  expect(await runHeadless(sandbox, "Look again.")).toMatchObject({ stdout: "Done.\n", stderr: "" });
  const hit = /^session dsh:earlier-one \| seq 1 \| user \| /u;
  expect(toolTexts(model.requests[2])).toEqual([
    expect.stringMatching(hit),
    expect.stringMatching(/^session dsh:earlier-one \| seq 0 \|/u),
  ]);
  expect(toolTexts(model.requests[4])).toEqual([expect.stringMatching(hit)]);
  for (const request of [2, 4]) expect(toolTexts(model.requests[request])[0]).not.toContain("dsh:fork-of-it");
});

it("finds the sessions of dsh wherever the host was told to keep them", async () => {
  const root = await temporaryFolder();
  await using model = await startDeepseekModel({
    steps: ["Done.", { toolCalls: [listHistory({ session: "earlier" })] }, "Done."],
  });
  await using sandbox = await rows.sandbox({
    modelUrl: model.url,
    patches: [{ id: "session-persistence-jsonl", config: { root } }],
  });
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "earlier-one", cwd: sandbox.cwd });
  await dsh.prompt("One.");
  await dsh.close();
  await runHeadless(sandbox, "Two.");
  expect(toolTexts(model.requests[2])).toEqual([expect.stringContaining("session dsh:earlier-one | seq 0 |")]);
});
