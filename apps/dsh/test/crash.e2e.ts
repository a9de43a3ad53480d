import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDshSandbox, type DrivenDsh, driveDsh, type DshSandbox, readSessionLogs } from "@notesoup/host-dsh";
import { startDeepseekModel } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { bootsIn, emptyBrain, markersIn, noteIn, outline, write } from "./calls.ts";
import { logged } from "./logged.ts";
import { packedRows } from "./packed-rows.ts";

const rows = packedRows();

/** Logs as text, so that a test can leave what a crash would. */
const AS_TEXT = {
  id: "session-persistence-jsonl",
  config: { root: "!", compression: "none" },
};

async function sandboxWithTextLogs(modelUrl: string): Promise<DshSandbox> {
  const sandbox = await rows.sandbox({ modelUrl, patches: [AS_TEXT] });
  for (const profile of ["once", "driven"]) {
    const patch = join(sandbox.dshHome, "profiles", profile, "cordis.patch.yml");
    const text = await readFile(patch, "utf8");
    await writeFile(patch, text.replace('"!"', JSON.stringify(join(sandbox.dshHome, "sessions"))));
  }
  return sandbox;
}

async function closed(dsh: DrivenDsh): Promise<void> {
  expect([await dsh.close(), dsh.stderr]).toEqual([0, ""]);
}

it("a kill in the middle of a tool leaves the notes that were written, and a session that goes on with one boot", async () => {
  await using model = await startDeepseekModel({
    steps: [
      {
        toolCalls: [
          write({ address: "@self/kept", content: "x" }),
          { name: "bash", args: { command: "sleep 60", description: "Waits" } },
        ],
      },
      "Done.",
    ],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  {
    await using dsh = await driveDsh(sandbox);
    await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
    await dsh.send({ do: "begin", text: "Go." });
    await logged(sandbox, "bash");
    await dsh.kill();
  }
  expect(noteIn(sandbox, "agents", "dsh", "kept.md")).toContain("\nx");
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "resume", session: "s1" });
  await dsh.prompt("More.");
  await closed(dsh);
  expect(model.problems).toEqual([]);
  expect(outline(model.requests[1])).toEqual([
    "system",
    "boot",
    "Go.",
    "runtime",
    "assistant",
    "tool",
    "tool",
    "More.",
  ]);
  const [log] = await readSessionLogs(sandbox);
  expect(markersIn(log)).toEqual([{ what: "boot", session: "s1", window: "s1:1" }]);
});

describe("a boundary that was cut by a crash", () => {
  it.each([
    { last: "compaction/start", kept: 1, end: { error: expect.any(String) } },
    { last: "compaction/summary", kept: 2, end: { error: expect.any(String) } },
    { last: "user/message", kept: 3, end: {} },
  ])("behind $last is closed, and the window is emptied once", async ({ kept, end }) => {
    await using model = await startDeepseekModel({ steps: [{ toolCalls: [emptyBrain] }, "Done.", "Done.", "Done."] });
    await using sandbox = await sandboxWithTextLogs(model.url);
    {
      await using dsh = await driveDsh(sandbox);
      await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
      await dsh.prompt("Go.");
      await closed(dsh);
    }
    const [whole] = await readSessionLogs(sandbox);
    const lines = (await readFile(whole?.path ?? "", "utf8")).split("\n");
    const start = lines.findIndex((line) => line.includes('"type":"compaction/start"'));
    await writeFile(whole?.path ?? "", `${lines.slice(0, start + kept).join("\n")}\n`);

    await using dsh = await driveDsh(sandbox);
    await dsh.send({ do: "resume", session: "s1" });
    await dsh.prompt("More.");
    await dsh.send({ do: "dispose" });
    await dsh.send({ do: "resume", session: "s1" });
    await dsh.prompt("Again.");
    await closed(dsh);
    expect(model.problems).toEqual([]);
    expect(model.requests.slice(2).map(outline)).toEqual([
      ["system", "boot", "More.", "runtime"],
      ["system", "boot", "More.", "runtime", "assistant", "Again."],
    ]);
    const [log] = await readSessionLogs(sandbox);
    const ends = log?.events.filter(({ type }) => type === "compaction/end") ?? [];
    expect(ends[0]?.data).toMatchObject(end);
    expect("error" in (ends[0]?.data ?? {})).toBe("error" in end);
    expect(log?.events.filter(({ type }) => type === "compaction/start")).toHaveLength(ends.length);
    expect(ends).toHaveLength(kept === 3 ? 1 : 2);
    expect(markersIn(log).filter((marker) => "what" in marker && marker.what === "boot")).toHaveLength(2);
  });
});

it("a session is taken up again by a host without the plugin, and holds no event of a type that is not the host's", async () => {
  await using model = await startDeepseekModel({
    steps: ["Done.", { toolCalls: [emptyBrain] }, "Done.", "Done.", "Done."],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  {
    await using dsh = await driveDsh(sandbox);
    await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
    await dsh.prompt("One.");
    await dsh.prompt("Two.");
    await dsh.command("/compact");
    await closed(dsh);
  }
  const [log] = await readSessionLogs(sandbox);
  expect(log?.events.filter(({ type }) => /notesoup/u.test(type))).toEqual([]);

  await using plain = await createDshSandbox({ modelUrl: model.url });
  await cp(join(sandbox.dshHome, "sessions"), join(plain.dshHome, "sessions"), { recursive: true });
  await using dsh = await driveDsh(plain);
  await dsh.send({ do: "resume", session: "s1" });
  expect(await dsh.prompt("Three.")).toEqual({ text: "Done.", reason: "completed" });
  await closed(dsh);
  expect(bootsIn(model.requests[3])).toHaveLength(1);
});
