import { readdir } from "node:fs/promises";
import { lastToolText, lastUserText, startScriptedModel, toolNames } from "@notesoup/scripted-model";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPiSandbox, PrintTimeout, printPi, readSessions } from "../src/index.ts";
import { probed, writeExtension, writeProbe } from "./probe.ts";

describe("Pi in print mode", () => {
  it("calls a tool of an extension and prints the last answer", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [{ name: "probe", args: { text: "notes" } }] },
        (request) => `The tool said: ${lastToolText(request)}`,
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    const result = await printPi(sandbox, "Use the probe.", { args: await writeProbe(sandbox) });

    expect(result).toEqual({ code: 0, signal: null, stdout: "The tool said: Wrote 5 characters.\n", stderr: "" });
    expect(await probed(sandbox)).toBe("notes");
    expect(model.problems).toEqual([]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests.map(lastUserText)).toEqual(["Use the probe.", "Use the probe."]);
    expect(model.requests.map(toolNames)).toEqual(
      Array.from({ length: 2 }, () => expect.arrayContaining(["read", "probe"])),
    );
  });

  it("calls a tool of an extension from a script", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [{ name: "codemode", args: { code: 'text(await tools.probe({ text: "from a script" }));' } }] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: { defaultTools: ["+codemode"] } });
    const result = await printPi(sandbox, "Use the probe in a script.", { args: await writeProbe(sandbox) });

    expect(result).toEqual({ code: 0, signal: null, stdout: "Done.\n", stderr: "" });
    expect(await probed(sandbox)).toBe("from a script");
    expect(model.problems).toEqual([]);
    const [first, second] = model.requests;
    expect(first && toolNames(first)).toContain("codemode");
    expect(second && lastToolText(second)).toContain("Wrote 13 characters.");
    const [session] = await readSessions(sandbox);
    expect(session?.header.cwd).toBe(sandbox.cwd);
    expect(session?.entries).toContainEqual(
      expect.objectContaining({
        type: "message",
        message: expect.objectContaining({
          role: "toolResult",
          toolName: "codemode",
          nestedCalls: expect.objectContaining({
            calls: [expect.objectContaining({ name: "probe", status: "ok" })],
            complete: true,
          }),
        }),
      }),
    );
  });

  it("answers several prompts in one session, also one that looks like an option", async () => {
    await using model = await startScriptedModel({ steps: ["One.", "Two."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect(await printPi(sandbox, ["First.", "--help"])).toMatchObject({ code: 0, stdout: "Two.\n" });
    expect(model.requests.map(lastUserText)).toEqual(["First.", "--help"]);
    expect(await readSessions(sandbox)).toHaveLength(1);
  });

  it("prints every event as JSON", async () => {
    await using model = await startScriptedModel({ steps: ["Hello."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    const { code, stdout, stderr } = await printPi(sandbox, "Hello?", { mode: "json" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(expect.arrayContaining(["session", "agent_start", "message_end", "agent_settled"]));
  });

  it("makes no folder beside those of the sandbox, and none for notes", async () => {
    await using model = await startScriptedModel({ steps: ["Hello."] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await printPi(sandbox, "Hello?");
    expect((await readdir(sandbox.root)).toSorted()).toEqual(["agent", "home", "project", "tmp"]);
  });

  it("fails where the model does, without a second try", async () => {
    await using model = await startScriptedModel({ steps: [{ status: 500, error: "the model is ill" }] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    const result = await printPi(sandbox, "Hello?");
    expect(result).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("the model is ill") });
    expect(model.requests).toHaveLength(1);
  });

  it("fails where an extension does not load, before any request", async () => {
    await using model = await startScriptedModel({ steps: [] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    const args = await writeExtension(sandbox, 'throw new Error("This extension is broken.");');
    const result = await printPi(sandbox, "Hello?", { args });
    expect(result).toMatchObject({ code: 1, signal: null, stdout: "" });
    expect(result.stderr).toMatch(/Failed to load extension .*This extension is broken\./s);
    expect(model.requests).toEqual([]);
  });

  it("is ended when its time is over, and gives up its request", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const gone = Promise.withResolvers<void>();
    await using model = await startScriptedModel({
      steps: [
        (_, { signal }) => {
          signal.addEventListener("abort", () => gone.resolve());
          vi.advanceTimersByTime(20_000);
          return { hang: true };
        },
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await expect(printPi(sandbox, "Hello?", { timeoutMs: 20_000 })).rejects.toThrow(PrintTimeout);
    await gone.promise;
    expect(model.requests).toHaveLength(1);
  });
});
