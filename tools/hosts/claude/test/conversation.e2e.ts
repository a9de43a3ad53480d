import { lastPrompt, startMessagesModel } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { createClaudeSandbox, processesIn, readTranscripts, startConversation } from "../src/index.ts";
import { writeProbe } from "./probe.ts";

describe("a conversation with Claude Code", () => {
  it("has several turns, is compacted, and begins anew", async () => {
    await using model = await startMessagesModel({
      steps: ["One.", "Two.", "<summary>Two things were said.</summary>", "Three.", "Four."],
    });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    await using claude = await startConversation(sandbox);
    const results: unknown[] = [];
    for (const prompt of ["one", "two", "/compact", "three", "/clear", "four"])
      results.push((await claude.prompt(prompt)).result);

    expect(results).toMatchObject([
      { result: "One." },
      { result: "Two." },
      { subtype: "success" },
      { result: "Three." },
      { subtype: "success" },
      { result: "Four." },
    ]);
    expect(claude.rows).toContainEqual(expect.objectContaining({ type: "system", subtype: "compact_boundary" }));
    expect(await claude.close()).toBe(0);
    expect(claude.stderr).toBe("");
    expect(model.problems).toEqual([]);

    const afterCompaction = JSON.stringify(model.requests[3]?.messages);
    expect(afterCompaction).toContain("Two things were said.");
    expect(JSON.stringify(model.requests[4]?.messages)).not.toContain("Three.");
    const sessions = results.map((result) => (result as { session_id: string }).session_id);
    const transcripts = await readTranscripts(sandbox);
    expect(transcripts.map(({ sessionId }) => sessionId)).toEqual([sessions[0], sessions[5]]);
    expect(await processesIn(sandbox)).toEqual([]);
  });

  it("goes on after a turn that was broken off", async () => {
    const reached = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await using model = await startMessagesModel({
      steps: [
        (_, { signal }) => {
          signal.addEventListener("abort", () => gone.resolve());
          reached.resolve();
          return { hang: true };
        },
        "Here again.",
      ],
    });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    await using claude = await startConversation(sandbox);
    const hanging = claude.prompt("Hang.");
    await reached.promise;
    await claude.interrupt();
    await gone.promise;
    expect((await hanging).result).toMatchObject({ subtype: "error_during_execution" });
    expect((await claude.prompt("Go on.")).result.result).toBe("Here again.");
    expect(await claude.close()).toBe(0);
    expect(model.problems).toEqual([]);
  });

  it("goes on in another process, with a plugin for this run only", async () => {
    await using model = await startMessagesModel({
      steps: ["One.", { toolCalls: [{ name: "mcp__probe__probe", args: { text: "two" } }] }, "Two."],
    });
    await using sandbox = await createClaudeSandbox({ modelUrl: model.url });
    const first = await startConversation(sandbox);
    const { session_id: session } = (await first.prompt("one")).result;
    await first.kill();
    await using second = await startConversation(sandbox, {
      args: ["--resume", session, "--plugin-dir", await writeProbe(sandbox)],
    });
    expect((await second.prompt("two")).result).toMatchObject({ result: "Two.", session_id: session });
    expect(await second.close()).toBe(0);
    expect(model.problems).toEqual([]);
    expect(model.requests.map(lastPrompt)).toEqual(["one", "two", "two"]);
    expect(JSON.stringify(model.requests[2]?.messages)).toContain("It says: two");
  });
});
