import { startMessagesModel } from "@notesoup/scripted-model";
import { temporaryFolder } from "@notesoup/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { createClaudeSandbox, runClaude, RunTimeout } from "../src/index.ts";
import { standInProgram } from "./stand-in.ts";

/** Says by a request, which the test hears, how far it is. It heeds no SIGTERM. */
const STUBBORN = `
  const tell = (content) => fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
    method: "POST", body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
  }).then((response) => response.text());
  process.on("SIGTERM", () => void tell("terminated"));
  setInterval(() => {}, 1000);
  process.stderr.write("half an error");
  process.stdout.write("half an answer", () => void tell("begun"));
`;

it("hands on its arguments, the environment of the sandbox and no input, and takes any end", async () => {
  await using sandbox = await createClaudeSandbox({ modelUrl: "http://127.0.0.1:9", root: await temporaryFolder() });
  const binary = await standInProgram(`
    process.stdin.on("end", () => process.exit(3)).resume();
    console.log(JSON.stringify([process.argv.slice(2), process.cwd(), process.env.HOME, process.env.EXTRA]));
    console.error("odd");
  `);
  expect(await runClaude(sandbox, ["plugin", "list"], { binary, args: ["--json"], env: { EXTRA: "1" } })).toEqual({
    code: 3,
    signal: null,
    stdout: `${JSON.stringify([["plugin", "list", "--json"], sandbox.cwd, sandbox.home, "1"])}\n`,
    stderr: "odd\n",
  });
});

it("kills a process that heeds no request to end, and rejects with what it had written", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const gone = Promise.withResolvers<void>();
  await using model = await startMessagesModel({
    steps: [
      () => {
        vi.advanceTimersByTime(10_000);
        return "The time is over.";
      },
      (_, { signal }) => {
        signal.addEventListener("abort", () => gone.resolve());
        vi.advanceTimersByTime(3000);
        return { hang: true };
      },
    ],
  });
  await using sandbox = await createClaudeSandbox({ modelUrl: model.url, root: await temporaryFolder() });
  const error: unknown = await runClaude(sandbox, [], {
    binary: await standInProgram(STUBBORN),
    timeoutMs: 10_000,
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RunTimeout);
  expect(error).toMatchObject({
    stdout: "half an answer",
    stderr: "half an error",
    message: expect.stringContaining("within 10000 ms"),
  });
  await gone.promise;
  expect(model.problems).toEqual([]);
});

it("rejects where the process cannot be started", async () => {
  const root = await temporaryFolder();
  await using sandbox = await createClaudeSandbox({ modelUrl: "http://127.0.0.1:9", root });
  await expect(runClaude(sandbox, [], { binary: `${root}/none` })).rejects.toThrow("ENOENT");
});
