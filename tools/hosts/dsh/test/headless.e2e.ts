import { contextExceeded, isTitleRequest, startDeepseekModel } from "@notesoup/scripted-model";
import { expect, it } from "vitest";
import { createDshSandbox, driveDsh, installDsh, readSessionLogs, runHeadless } from "../src/index.ts";

it("the pinned version is installed", async () => {
  expect(await installDsh()).toMatchObject({ version: "0.1.0-rc.8" });
});

it("answers one task with the scripted model, asks it for a title, and leaves a session", async () => {
  await using model = await startDeepseekModel({ steps: ["Hello."] });
  await using sandbox = await createDshSandbox({ modelUrl: model.url, hasTitles: true });
  expect(await runHeadless(sandbox, "Hi?")).toEqual({ code: 0, signal: null, stdout: "Hello.\n", stderr: "" });
  expect(model.problems).toEqual([]);
  expect(model.requests.filter(isTitleRequest)).toHaveLength(1);
  expect(model.requests).toHaveLength(2);
  const [log] = await readSessionLogs(sandbox);
  expect(log?.header).toMatchObject({ cwd: sandbox.cwd });
});

it("sees nothing of the environment but what the sandbox gives", async () => {
  process.env["DSH_LEAK"] = "leaks";
  try {
    await using model = await startDeepseekModel({
      steps: [{ toolCalls: [{ name: "bash", args: { command: "env", description: "Lists" } }] }, "Done."],
    });
    await using sandbox = await createDshSandbox({ modelUrl: model.url });
    await runHeadless(sandbox, "Go.");
    const said = JSON.stringify(model.requests[1]);
    expect(said).toContain(sandbox.notesHome);
    expect(said).not.toContain("DSH_LEAK");
  } finally {
    delete process.env["DSH_LEAK"];
  }
});

it("is ended where it does not end in time, with what it started", async () => {
  await using model = await startDeepseekModel({ steps: [{ hang: true }] });
  await using sandbox = await createDshSandbox({ modelUrl: model.url });
  await expect(runHeadless(sandbox, "Hi?", { timeoutMs: 3000 })).rejects.toThrow("dsh did not end in 3000 ms");
});

it("is driven for several turns: it is resumed, forked, stopped, and takes commands", async () => {
  const driven: { cancel?: () => void } = {};
  await using model = await startDeepseekModel({
    steps: [
      "One.",
      "Two.",
      "Forked.",
      () => {
        driven.cancel?.();
        return { hang: true };
      },
      contextExceeded(),
    ],
  });
  await using sandbox = await createDshSandbox({ modelUrl: model.url });
  await using dsh = await driveDsh(sandbox);
  driven.cancel = () => void dsh.send({ do: "cancel" });
  await dsh.send({ do: "create", session: "s1", cwd: sandbox.cwd });
  expect(await dsh.prompt("1")).toEqual({ text: "One.", reason: "completed" });
  await dsh.send({ do: "dispose" });
  await dsh.send({ do: "resume", session: "s1" });
  expect(await dsh.prompt("2")).toEqual({ text: "Two.", reason: "completed" });
  await dsh.send({ do: "fork", session: "s2", turns: 1 });
  expect(await dsh.prompt("3")).toEqual({ text: "Forked.", reason: "completed" });
  // The pinned host loses the end of a turn that is stopped while a request is under way.
  expect((await dsh.prompt("4")).reason).toBe("none");
  await expect(dsh.send({ do: "resume", session: "nobody" })).rejects.toThrow("nobody");
  expect(await dsh.send({ do: "command", line: "/nothing" })).toBeNull();
  expect([await dsh.close(), dsh.stderr]).toEqual([0, ""]);
  expect((await readSessionLogs(sandbox)).map(({ header }) => header.id)).toEqual(["s1", "s2"]);
});
