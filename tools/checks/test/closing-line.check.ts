import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { runChild } from "../src/child.ts";
import { temporaryFolder, writeFiles } from "./temporary-folder.ts";
import { workspaceRoot } from "./workspace-root.ts";

const reporter = join(import.meta.dirname, "../src/closing-line.ts");

interface Ending {
  readonly status: number;
  readonly lastLine: string | undefined;
}

/** Runs Vitest on a project of these files, as `npm test` does. */
async function endingOf(context: TestContext, files: Readonly<Record<string, string>>): Promise<Ending> {
  const folder = await temporaryFolder(context);
  await writeFiles(folder, {
    "package.json": { type: "module" },
    "tsconfig.json": { compilerOptions: { module: "nodenext", strict: true, noEmit: true, types: [] } },
    "vitest.config.js": `export default { test: { typecheck: { enabled: true, include: ["*.test-d.ts"] } } };`,
    ...files,
  });
  await symlink(join(workspaceRoot, "node_modules"), join(folder, "node_modules"));
  const { status, output } = await runChild(
    workspaceRoot,
    "vitest",
    ["run", "--reporter=default", `--reporter=${reporter}`],
    { cwd: folder },
  );
  return { status, lastLine: output.trimEnd().split("\n").at(-1) };
}

const importing = `import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";\n`;

describe.concurrent("the closing line", { timeout: 60_000 }, () => {
  it("is the last line, and counts tests that pass, are skipped, are to do and fail", async (context) => {
    const some = `${importing} it("a", () => {}); it("b", () => {}); it.skip("c", () => {}); it.todo("d"); it("e", () => { expect(1).toBe(2); });`;
    expect(await endingOf(context, { "some.test.ts": some })).toEqual({
      status: 1,
      lastLine: "2 passed, 1 failed, 2 skipped",
    });
  });

  it("ends a run without a failure with 0", async (context) => {
    expect(await endingOf(context, { "some.test.ts": `${importing} it("a", () => {});` })).toEqual({
      status: 0,
      lastLine: "1 passed, 0 failed, 0 skipped",
    });
  });

  it("counts a file that does not load as failed", async (context) => {
    expect(
      await endingOf(context, {
        "good.test.ts": `${importing} it("a", () => {});`,
        "missing.test.ts": `import "./nothing.ts";`,
        "throwing.test.ts": `throw new Error("at the top");`,
      }),
    ).toEqual({ status: 1, lastLine: "1 passed, 2 failed, 0 skipped" });
  });

  it("counts an error that nobody handled as failed", async (context) => {
    const stray = `${importing} it("a", async () => { void Promise.reject(new Error("stray")); await new Promise(setImmediate); });`;
    expect(await endingOf(context, { "stray.test.ts": stray })).toEqual({
      status: 1,
      lastLine: "1 passed, 1 failed, 0 skipped",
    });
  });

  it("counts a hook that throws as failed, and the tests that it kept from running as skipped", async (context) => {
    const hooked = `${importing} describe("s", () => { beforeAll(() => { throw new Error("hook"); }); it("a", () => {}); it("b", () => {}); });`;
    expect(await endingOf(context, { "hooked.test.ts": hooked })).toEqual({
      status: 1,
      lastLine: "0 passed, 1 failed, 2 skipped",
    });
  });

  it("counts type tests", async (context) => {
    const types = `${importing} it("a", () => { expectTypeOf(1).toBeNumber(); }); it("b", () => { expectTypeOf(1).toBeString(); });`;
    expect(await endingOf(context, { "some.test-d.ts": types })).toEqual({
      status: 1,
      lastLine: "1 passed, 1 failed, 0 skipped",
    });
  });

  it("counts a run that finds no test as one failure", async (context) => {
    expect(await endingOf(context, {})).toEqual({ status: 1, lastLine: "0 passed, 1 failed, 0 skipped" });
  });
});
