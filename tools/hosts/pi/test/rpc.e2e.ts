import { lastToolText, lastUserText, startScriptedModel, toolNames } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { createPiSandbox, readSessions, startPiRpc } from "../src/index.ts";
import { probed, writeExtension, writeProbe } from "./probe.ts";

describe("Pi in RPC mode", () => {
  it("calls a tool of an extension, and settles", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [{ name: "probe", args: { text: "notes\u2028" } }] },
        (request) => `The tool said: ${lastToolText(request)}`,
        "Again.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using pi = await startPiRpc(sandbox, { args: await writeProbe(sandbox) });

    const { disposition, events } = await pi.prompt("Use the probe.");
    expect(disposition).toBe("started");
    expect(events.at(-1)?.type).toBe("agent_settled");
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool_execution_end", toolName: "probe", isError: false }),
    );
    expect(await probed(sandbox)).toBe("notes\u2028");
    expect(await pi.send({ type: "get_last_assistant_text" })).toMatchObject({
      success: true,
      data: { text: "The tool said: Wrote 6 characters." },
    });

    const second = await pi.prompt("And again.");
    expect(second.events.filter((event) => event.type === "agent_settled")).toHaveLength(1);
    expect(model.requests.map(lastUserText)).toEqual(["Use the probe.", "Use the probe.", "And again."]);
    expect(await pi.close()).toBe(0);
    expect(pi.stderr).toBe("");
    expect(model.problems).toEqual([]);
  });

  it("calls a tool of an extension from a script", async () => {
    await using model = await startScriptedModel({
      steps: [
        { toolCalls: [{ name: "codemode", args: { code: 'text(await tools.probe({ text: "from a script" }));' } }] },
        "Done.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url, settings: { defaultTools: ["+codemode"] } });
    await using pi = await startPiRpc(sandbox, { args: await writeProbe(sandbox) });

    const { events } = await pi.prompt("Use the probe in a script.");
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "tool_execution_end",
        toolName: "probe",
        parentToolCallId: "call_1",
        isError: false,
      }),
    );
    expect(await probed(sandbox)).toBe("from a script");
    const [first, second] = model.requests;
    expect(first && toolNames(first)).toContain("codemode");
    expect(second && lastToolText(second)).toContain("Wrote 13 characters.");
    expect(await pi.close()).toBe(0);
    expect(pi.stderr).toBe("");
    expect(model.problems).toEqual([]);
  });

  it("gives up a model that hangs when it is told to, and goes on", async () => {
    const reached = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await using model = await startScriptedModel({
      steps: [
        (_, { signal }) => {
          signal.addEventListener("abort", () => gone.resolve());
          reached.resolve();
          return { hang: true };
        },
        "Here again.",
      ],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using pi = await startPiRpc(sandbox);

    const hanging = pi.prompt("Hang.");
    await reached.promise;
    expect(await pi.send({ type: "abort" })).toMatchObject({ success: true });
    await gone.promise;
    expect((await hanging).events).toContainEqual(
      expect.objectContaining({
        type: "message_end",
        message: expect.objectContaining({ role: "assistant", stopReason: "aborted" }),
      }),
    );
    await pi.prompt("Go on.");
    expect(await pi.close()).toBe(0);
    expect(pi.stderr).toBe("");
    expect(model.problems).toEqual([]);
    const [session] = await readSessions(sandbox);
    expect(session?.entries.at(-1)).toMatchObject({
      message: { role: "assistant", content: [{ type: "text", text: "Here again." }] },
    });
  });

  it("does not wait for a run where a command handles the prompt, and lets the user be asked", async () => {
    await using model = await startScriptedModel({ steps: [] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    await using pi = await startPiRpc(sandbox, { args: await writeProbe(sandbox) });

    const asked = pi.prompt("/ask");
    const { id } = await pi.waitFor((record) => record["method"] === "confirm");
    pi.write({ type: "extension_ui_response", id, confirmed: true });
    expect((await asked).disposition).toBe("handled");
    expect(await pi.waitFor((record) => record["method"] === "notify")).toMatchObject({ message: "It goes on." });
    expect(await pi.close()).toBe(0);
    expect(model.requests).toEqual([]);
  });

  it("tells why it ended, where an extension does not load", async () => {
    await using model = await startScriptedModel({ steps: [] });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    const pi = await startPiRpc(sandbox, {
      args: await writeExtension(sandbox, 'throw new Error("This extension is broken.");'),
    });
    await expect(pi.prompt("Hello?")).rejects.toThrow(
      /Pi ended with code 1\nstderr: .*Failed to load extension .*This extension is broken\./s,
    );
    expect(await pi.close()).toBe(1);
  });
});
