import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPiSandbox, type PiSandbox, printPi, type RpcRecord, startPiRpc } from "@notesoup/host-pi";
import { startScriptedModel, type ToolCall } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { CODEMODE, write, read, update, list, search, toolTexts, scripted, printed } from "./calls.ts";
import { packedExtension } from "./packed-extension.ts";

const extension = packedExtension();

/** A call that is refused, the code of the refusal, and what its message says. `prepare` makes the reason. */
interface Refused {
  readonly call: ToolCall;
  readonly code: string;
  readonly says: string;
  readonly prepare?: (sandbox: PiSandbox) => void;
}

const given =
  (notebook: string, name: string, content: string | Uint8Array) =>
  (sandbox: PiSandbox): void => {
    mkdirSync(join(sandbox.notesHome, notebook), { recursive: true });
    writeFileSync(join(sandbox.notesHome, notebook, name), content);
  };

/** A lock that another machine, of which nobody here can tell whether it lives, has on a note. */
const lockedElsewhere =
  (path: string) =>
  (sandbox: PiSandbox): void => {
    const locks = join(sandbox.notesHome, ".locks");
    mkdirSync(locks, { recursive: true });
    const owner = "0000000000000001.ffffffff.1.1";
    symlinkSync(owner, join(locks, createHash("sha256").update(path).digest("hex").slice(0, 32)));
  };

const REFUSED: readonly Refused[] = [
  {
    call: write({ address: "../a", content: "x" }),
    code: "invalid_address",
    says: '"../a" is not an address: a component is ".."',
  },
  {
    call: write({ address: "a\nb", content: "x" }),
    code: "invalid_address",
    says: '"a\\nb" is not an address: it holds a control character',
  },
  {
    call: write({ address: "@head", content: "x" }),
    code: "unknown_scope",
    says: '"@head" names no notebook; an address is',
  },
  {
    call: write({ address: "@sessions/s1/a", content: "x" }),
    code: "read_only",
    says: "@sessions/s1/a.md can only be read",
  },
  {
    call: write({ address: "@agents/other/a", content: "x" }),
    code: "read_only",
    says: "it can be read and crumpled only; write to @self/",
  },
  {
    call: write({ address: "@human/a", content: "x", cwd: "nowhere" }),
    code: "invalid_cwd",
    says: 'cwd "nowhere" is not an existing directory; give one',
  },
  { call: read({ address: "@project/none" }), code: "not_found", says: '"@project/none"; check the address' },
  {
    call: read({ address: "@human/not-utf8", limit_chars: 0 }),
    code: "invalid_range",
    says: "limit_chars is 0; it must be a whole number of at least 1",
  },
  {
    call: update({ address: "@human/none", crumpled: true }),
    code: "not_found",
    says: "there is no note at @human/none.md",
  },
  {
    call: update({ address: "@human/taken", edits: [{ old_text: "missing", new_text: "x" }] }),
    code: "no_match",
    says: "edit 0 of @human/taken.md",
  },
  {
    call: update({ address: "@human/taken", edits: [{ old_text: "a", new_text: "x" }] }),
    code: "ambiguous_match",
    says: "lines 1, 2",
  },
  {
    call: update({ address: "@human/taken", edits: [{ old_text: "", new_text: "x" }] }),
    code: "empty_edit",
    says: "the text to replace in edit 0 of @human/taken.md is empty",
  },
  {
    call: update({ address: "@human/taken" }),
    code: "nothing_to_do",
    says: "nothing was asked to be done with @human/taken.md",
    prepare: given("human", "taken.md", "a\na\n"),
  },
  {
    call: update({ address: "@human/other", rename_to: "@human/taken" }),
    code: "already_exists",
    says: "there is a note at @human/taken.md already",
    prepare: given("human", "other.md", "x"),
  },
  {
    call: update({ address: "@projects/other-11111111/keys", crumpled: true }),
    code: "read_only",
    says: "can only be read",
  },
  { call: list({ glob: "@default/**" }), code: "invalid_glob", says: "@default stands alone" },
  { call: search({ query: "x", glob: "@head/**" }), code: "unknown_scope", says: "use @project/**" },
  { call: list({ limit: 0 }), code: "invalid_range", says: "limit is 0" },
  {
    call: write({ address: "@human/held", content: "x" }),
    code: "locked",
    says: "@human/held.md is being changed by another process for too long; try again",
    prepare: lockedElsewhere("human/held.md"),
  },
  {
    call: write({ address: "@human/big", content: "x".repeat(1_048_577) }),
    code: "too_large",
    says: "holds at most 1048576; split it into several notes",
  },
  {
    call: { name: "notes_write", rawArgs: '{"address":"@human/a","content":"x\\ud800"}' },
    code: "invalid_text",
    says: "the content for @human/a.md holds a lone surrogate",
  },
  {
    call: read({ address: "@human/not-utf8" }),
    code: "not_utf8",
    says: "@human/not-utf8.md is not valid UTF-8 and was left as it is",
    prepare: given("human", "not-utf8.md", Buffer.from([0x61, 0xe9])),
  },
  {
    call: read({ address: "@human/out" }),
    code: "outside_home",
    says: "@human/out.md leads out of the notes home by a link",
    prepare: (sandbox) => symlinkSync("/etc/hostname", join(sandbox.notesHome, "human", "out.md")),
  },
  {
    call: read({ address: "@human/folder" }),
    code: "io",
    says: "@human/folder.md",
    prepare: (sandbox) => mkdirSync(join(sandbox.notesHome, "human", "folder.md")),
  },
  {
    // Where an access counts, this one would: the note was read, and only could not be delivered.
    call: read({ address: "@projects/other-11111111/keys" }),
    code: "output_too_large",
    says: "its frontmatter, or what the host adds, leaves no room",
    prepare: given(
      "project/other-11111111",
      "keys.md",
      `---\n${Array.from({ length: 1500 }, (_, index) => `k${index}:`).join("\n")}\nz: ${"x".repeat(1100)}\n---\nbody`,
    ),
  },
];

/** The files of the notes home with their bytes. */
function filesOf(sandbox: PiSandbox): string[] {
  return readdirSync(sandbox.notesHome, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name} ${readFileSync(join(entry.parentPath, entry.name), "latin1")}`)
    .toSorted();
}

/** Runs one prompt in print mode, which shows no events. */
async function inPrintMode(sandbox: PiSandbox): Promise<readonly RpcRecord[]> {
  expect(await printPi(sandbox, "Go.", { args: extension.args() })).toEqual({
    code: 0,
    signal: null,
    stdout: "Done.\n",
    stderr: "",
  });
  return [];
}

/** Runs one prompt in RPC mode. */
async function inRpcMode(sandbox: PiSandbox): Promise<readonly RpcRecord[]> {
  const rpc = await startPiRpc(sandbox, { args: extension.args() });
  const { events } = await rpc.prompt("Go.");
  expect({ code: await rpc.close(), stderr: rpc.stderr }).toEqual({ code: 0, stderr: "" });
  return events;
}

/** What the events say of the calls that the model made itself, in the order of its calls. */
function endsOf(events: readonly RpcRecord[]): unknown[] {
  const ends = new Map(
    events.flatMap((event) =>
      event.type === "tool_execution_end" ? [[String(event["toolCallId"]), event] as const] : [],
    ),
  );
  return REFUSED.map((_, index) => {
    const end = ends.get(`call_${index + 1}`);
    return { toolName: end?.["toolName"], isError: end?.["isError"], result: end?.["result"] };
  });
}

describe("each refusal", () => {
  it.each([
    { mode: "print", run: inPrintMode },
    { mode: "RPC", run: inRpcMode },
  ])(
    "in $mode mode is one coded line that names the address and the way on, directly and in a script, and changes nothing",
    async ({ mode, run }) => {
      const inScript = `return [${REFUSED.map(({ call }) => `await tools.${call.name}(${call.rawArgs ?? JSON.stringify(call.args)})`).join(", ")}];`;
      await using model = await startScriptedModel({
        steps: [{ toolCalls: REFUSED.map(({ call }) => call) }, { toolCalls: [scripted(inScript)] }, "Done."],
      });
      // The argument that is too large for a note must not be too large for the model.
      await using sandbox = await createPiSandbox({
        modelUrl: model.url,
        settings: CODEMODE,
        models: [{ id: "scripted-model", contextWindow: 10_000_000 }],
      });
      for (const { prepare } of REFUSED) prepare?.(sandbox);
      const before = filesOf(sandbox);
      const events = await run(sandbox);

      const [, direct, inCode] = model.requests;
      const texts = (direct && toolTexts(direct)) ?? [];
      expect(texts).toHaveLength(REFUSED.length);
      for (const [index, { code, says }] of REFUSED.entries()) {
        expect(texts[index]).toMatch(new RegExp(`^error: ${code}: .+$`, "u"));
        expect(texts[index]).toContain(says);
      }
      expect(printed(inCode)).toEqual(
        texts.map((text, index) => ({
          error: text.slice(`error: ${REFUSED[index]?.code}: `.length),
          code: REFUSED[index]?.code,
        })),
      );
      if (mode === "RPC")
        expect(endsOf(events)).toEqual(
          REFUSED.map(({ call, code }, index) => ({
            toolName: call.name,
            isError: true,
            result: expect.objectContaining({
              content: [{ type: "text", text: texts[index] }],
              structuredContent: { error: texts[index]?.slice(`error: ${code}: `.length), code },
            }),
          })),
        );
      for (const text of texts) expect(text).not.toContain(sandbox.root);
      expect(filesOf(sandbox)).toEqual(before);
    },
  );

  it("of a home that cannot be written names the address, the system's code and the way on, and no path", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [write({ address: "@project/a", content: "x" })] }, "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    mkdirSync(dirname(sandbox.notesHome), { recursive: true });
    writeFileSync(sandbox.notesHome, "a file");
    expect((await printPi(sandbox, "Go.", { args: extension.args() })).stderr).toBe("");
    expect(model.requests[1] && toolTexts(model.requests[1])).toEqual([
      "error: io: cannot write @project/a.md: a file stands where a folder is needed; choose another address, or another notes home if it is that file (ENOTDIR)",
    ]);
    expect(readFileSync(sandbox.notesHome, "utf8")).toBe("a file");
  });

  it("leaves arguments that are none to Pi, which says what is wrong with them", async () => {
    await using model = await startScriptedModel({
      steps: [{ toolCalls: [write({ address: "a" }), write({ address: "a", content: "x", scope: "y" })] }, "Done."],
    });
    await using sandbox = await createPiSandbox({ modelUrl: model.url });
    expect((await printPi(sandbox, "Go.", { args: extension.args() })).stderr).toBe("");
    expect(model.requests[1] && toolTexts(model.requests[1])).toEqual([
      expect.stringContaining("content"),
      expect.stringContaining("scope"),
    ]);
    expect(existsSync(sandbox.notesHome)).toBe(false);
  });
});
