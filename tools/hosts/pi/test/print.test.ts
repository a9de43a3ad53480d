import { startScriptedModel } from "@notesoup/scripted-model";
import { expect, it, onTestFinished, vi } from "vitest";
import { createPiSandbox, PrintTimeout, printPi } from "../src/index.ts";
import { script, temporaryFolder } from "./temporary.ts";

/** Says by a request, which the test hears, how far it is. It heeds no SIGTERM. */
const STUBBORN = `
  const tell = (content) => fetch(process.env.MODEL_URL + "/chat/completions", {
    method: "POST", body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
  }).then((response) => response.text());
  process.on("SIGTERM", () => void tell("terminated"));
  setInterval(() => {}, 1000);
  process.stderr.write("half an error");
  process.stdout.write("half an answer", () => void tell("begun"));
`;

it("kills a process that heeds no request to end, and rejects with what it had written", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const gone = Promise.withResolvers<void>();
  await using model = await startScriptedModel({
    steps: [
      () => {
        vi.advanceTimersByTime(10_000);
        return "The time is over.";
      },
      (_, { signal }) => {
        signal.addEventListener("abort", () => gone.resolve());
        vi.advanceTimersByTime(2000);
        return { hang: true };
      },
    ],
  });
  const sandbox = await createPiSandbox({ modelUrl: model.url, root: await temporaryFolder() });
  const run = printPi(sandbox, "Hello?", {
    cli: await script(STUBBORN),
    env: { MODEL_URL: model.url },
    timeoutMs: 10_000,
  });
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PrintTimeout);
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
  const sandbox = await createPiSandbox({ modelUrl: "http://127.0.0.1:9/v1", root });
  await expect(printPi(sandbox, "Hello?", { cli: "none", cwd: `${root}/missing` })).rejects.toThrow("ENOENT");
});
