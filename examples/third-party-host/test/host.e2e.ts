import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { projectKey } from "@notesoup/notes";
import {
  type ChatRequest,
  lastToolText,
  type Step,
  startScriptedModel,
  textOf,
  toolNames,
} from "@notesoup/scripted-model";
import { temporaryFolder } from "@notesoup/testing";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

const ADDRESS = "@project/decisions.md";

const calls = (name: string, args: object): Step<ChatRequest> => ({ toolCalls: [{ name, args }] });

/** Runs the host as its README calls it: no condition leads it to the sources of the packages. */
async function runHost(root: string, url: string, prompt: string, env: Record<string, string> = {}): Promise<string> {
  const cwd = join(root, "project");
  await mkdir(cwd, { recursive: true });
  const given = { HOME: root, OPENAI_BASE_URL: url, OPENAI_MODEL: "Some Model", ...env };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, prompt], { cwd, env: given });
  return stdout;
}

it("boots from notes, answers the model's calls, and finds in a second run what the first one wrote", async () => {
  const root = await temporaryFolder();
  await using model = await startScriptedModel({
    steps: [
      calls("notes_write", { address: ADDRESS, content: "Notes are plain markdown." }),
      "Noted.",
      calls("notes_read", { address: ADDRESS }),
      (request) => `It says: ${lastToolText(request)?.split("\n").at(-1)}`,
    ],
  });
  expect(await runHost(root, model.url, "Remember how we keep notes.")).toBe("Noted.\n");
  expect(await runHost(root, model.url, "How do we keep notes?")).toBe("It says: Notes are plain markdown.\n");
  expect(model.problems).toEqual([]);

  const [first, , second] = model.requests;
  const bootOf = (request?: ChatRequest): string =>
    request === undefined ? "" : textOf(request.messages[0] ?? { role: "" });
  expect(bootOf(first)).toMatch(/^# Your memory, as of /u);
  expect(bootOf(first)).toContain("## Project notes (@project/) · empty");
  expect(bootOf(second)).toContain(`- ${ADDRESS} · 25 bytes · `);
  expect(bootOf(second)).toContain("This context window is finite.");
  expect(first === undefined ? [] : toolNames(first)).toEqual([
    "notes_read",
    "notes_write",
    "notes_update",
    "notes_list",
    "notes_search",
    "history_list",
    "history_read",
    "tokens_left",
  ]);
  const file = join(root, ".agents/notes/project", projectKey(join(root, "project")), "decisions.md");
  expect(await readFile(file, "utf8")).toContain("Notes are plain markdown.");
});

it("says what is left once, when a line is crossed, and answers calls that are wrong", async () => {
  const root = await temporaryFolder();
  const seen: string[] = [];
  const noting =
    (step: Step<ChatRequest>): Step<ChatRequest> =>
    (request) => {
      seen.push(...request.messages.slice(-1).map(textOf));
      return step;
    };
  await using model = await startScriptedModel({
    steps: [
      { toolCalls: [{ name: "notes_read", args: { addres: ADDRESS } }] },
      noting({ toolCalls: [{ name: "notes_read", rawArgs: "{" }] }),
      noting(calls("notes_forget", {})),
      noting(calls("history_list", {})),
      noting({ toolCalls: [{ name: "tokens_left", args: {} }], usage: { inputTokens: 14_000, outputTokens: 0 } }),
      noting({ toolCalls: [{ name: "tokens_left", args: {} }], usage: { inputTokens: 14_000, outputTokens: 0 } }),
      noting("Done."),
    ],
  });
  expect(await runHost(root, model.url, "Go on.", { CONTEXT_WINDOW: "20000" })).toBe("Done.\n");
  expect(model.problems).toEqual([]);
  expect(seen).toEqual([
    expect.stringMatching(/^error: invalid_arguments: notes_read: [^\n]*addres[^\n]*$/u),
    expect.stringMatching(/^error: invalid_arguments: notes_read: /u),
    "error: there is no tool notes_forget",
    expect.stringMatching(/^error: session_not_found: /u),
    expect.stringMatching(/^Tokens left in this context window: 1,904\. This is the last reminder/u),
    "1,904",
  ]);
});

it.each([{ tool_calls: [] }, { tool_calls: null }, {}])(
  "takes %j for an answer without calls, from a server that counts no tokens",
  async (none) => {
    const root = await temporaryFolder();
    const message = { role: "assistant", content: "Done.", ...none };
    let asked = 0;
    const server = createServer((request, response) => {
      asked++;
      request.resume().on("end", () => response.end(JSON.stringify({ choices: [{ message }] })));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      expect(await runHost(root, `http://127.0.0.1:${port}`, "Say done.")).toBe("Done.\n");
      expect(asked).toBe(1);
    } finally {
      server.close();
    }
  },
);
