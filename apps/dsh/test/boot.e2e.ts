import { type DshSandbox, driveDsh, readSessionLogs, runHeadless } from "@notesoup/host-dsh";
import { projectKey } from "@notesoup/notes";
import { startDeepseekModel } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { bootsIn, markersIn, outline, write } from "./calls.ts";
import { packedRows } from "./packed-rows.ts";

const rows = packedRows();

/** The boot of a session's first window, as it stands in the log. */
const firstBoot = (session: string): object => ({ what: "boot", session, window: `${session}:1` });

it("stands before the first prompt of a session, once, and stays as it is when the session goes on and is taken up again", async () => {
  await using model = await startDeepseekModel({ steps: ["Done.", "Done.", "Done."] });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
  await dsh.prompt("One.");
  await dsh.prompt("Two.");
  await dsh.send({ do: "dispose" });
  await dsh.send({ do: "resume", session: "s1" });
  await dsh.prompt("Three.");
  expect([await dsh.close(), dsh.stderr]).toEqual([0, ""]);

  expect(model.problems).toEqual([]);
  expect(model.requests.map(outline)).toEqual([
    ["system", "boot", "One.", "runtime"],
    ["system", "boot", "One.", "runtime", "assistant", "Two."],
    ["system", "boot", "One.", "runtime", "assistant", "Two.", "assistant", "Three."],
  ]);
  expect(model.requests[2]?.messages.slice(0, 4)).toEqual(model.requests[0]?.messages);
  const [log] = await readSessionLogs(sandbox);
  expect(markersIn(log)).toEqual([firstBoot("s1")]);
  expect(bootsIn(model.requests[0])[0]).toContain(
    `session s1 · window s1:1 · project ${projectKey(sandbox.cwd)} · agent dsh · model deepseek-v4-flash`,
  );
});

it("shows what an earlier session has written down, and the name that the preset or the setting gives the agent", async () => {
  await using model = await startDeepseekModel({
    steps: [
      {
        toolCalls: [
          write({ address: "@project/MAP.md", content: "Next: the printer." }),
          write({ address: "@self/habits", content: "x" }),
        ],
      },
      "Done.",
      "Done.",
      "Done.",
    ],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  await runHeadless(sandbox, "One.");
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "other", cwd: sandbox.cwd, preset: "My Preset" });
  await dsh.prompt("Two.");
  await dsh.send({ do: "create", session: "same", cwd: sandbox.cwd });
  await dsh.prompt("Three.");
  await dsh.close();
  const [ofPreset = ""] = bootsIn(model.requests[2]);
  expect(ofPreset).toContain("| Next: the printer.");
  expect(ofPreset).toContain("agent my-preset");
  expect(ofPreset).toContain("## Agent notes (@self/) · empty");
  expect(bootsIn(model.requests[3])[0]).toContain("- @self/habits.md · 1 byte");
});

it("of a fork stands behind what was copied, and names the fork", async () => {
  await using model = await startDeepseekModel({ steps: ["Done.", "Done.", "Done."] });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  await using dsh = await driveDsh(sandbox);
  await dsh.send({ do: "create", session: "parent", cwd: sandbox.cwd });
  await dsh.prompt("One.");
  await dsh.prompt("Two.");
  await dsh.send({ do: "fork", session: "child", turns: 1 });
  await dsh.prompt("Other.");
  expect([await dsh.close(), dsh.stderr]).toEqual([0, ""]);
  expect(outline(model.requests[2])).toEqual(["system", "boot", "One.", "runtime", "assistant", "boot", "Other."]);
  const fork = (await readSessionLogs(sandbox)).find(({ header }) => header.id === "child");
  expect(fork?.header).toMatchObject({ parentSession: "parent" });
  expect(markersIn(fork)).toEqual([firstBoot("parent"), firstBoot("child")]);
});

it("is not in a subagent, which has the tools, and its session's notes of its own", async () => {
  await using model = await startDeepseekModel({
    lanes: [
      {
        match: ({ messages }) => messages.some(({ content }) => JSON.stringify(content).includes("Look around")),
        steps: [{ toolCalls: [write({ address: "found", content: "x" })] }, "Looked."],
      },
      {
        steps: [
          {
            toolCalls: [
              {
                name: "subagent",
                args: { prompt: "Look around.", description: "Looks around", run_in_background: false },
              },
            ],
          },
          "Done.",
        ],
      },
    ],
  });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  expect(await runHeadless(sandbox, "Go.")).toEqual({ code: 0, signal: null, stdout: "Done.\n", stderr: "" });
  expect(model.problems).toEqual([]);
  const [first, child, afterWrite, last] = model.requests;
  expect(bootsIn(first)).toHaveLength(1);
  expect(bootsIn(child)).toEqual([]);
  expect(bootsIn(afterWrite)).toEqual([]);
  expect(bootsIn(last)).toHaveLength(1);
  const logs = await readSessionLogs(sandbox);
  const ofChild = logs.find(({ header }) => header["origin"] === "subagent");
  expect(markersIn(ofChild)).toEqual([]);
  expect(await sessionsWithNotes(sandbox)).toEqual([ofChild?.header.id]);
});

async function sessionsWithNotes({ notesHome }: DshSandbox): Promise<string[]> {
  const { readdir } = await import("node:fs/promises");
  return readdir(`${notesHome}/pi/session`);
}

it("names a notebook that cannot be read, and shows the others", async () => {
  await using model = await startDeepseekModel({ steps: ["Done."] });
  await using sandbox = await rows.sandbox({ modelUrl: model.url });
  const { mkdir, writeFile } = await import("node:fs/promises");
  await mkdir(sandbox.notesHome);
  await writeFile(`${sandbox.notesHome}/human`, "no folder");
  await runHeadless(sandbox, "Go.");
  const [boot = ""] = bootsIn(model.requests[0]);
  expect(boot).toContain("## Human notes (@human/) · unreadable: ");
  expect(boot).toContain("## Agent notes (@self/) · empty");
});
