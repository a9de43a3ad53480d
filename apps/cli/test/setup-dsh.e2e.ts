import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installDsh, installPnpm } from "@notesoup/host-dsh";
import { startDeepseekModel, toolNames } from "@notesoup/scripted-model";
import { describe, expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";
import { newPerson, type Person } from "./person.ts";

const command = packedCommand();

const BUNDLE = fileURLToPath(new URL("../../dsh", import.meta.url));

async function withDsh(): Promise<Person> {
  const ana = await newPerson(command.folder());
  const { cli } = await installDsh();
  await ana.program("dsh", `exec "${process.execPath}" "${cli}" "$@"`);
  await ana.program("pnpm", `exec "${process.execPath}" "${await installPnpm()}" "$@"`);
  return ana;
}

const OFFLINE = { env: { DSH_TELEMETRY_DISABLED: "1", npm_config_offline: "true" } };

/** The bundles of a profile. */
async function bundles({ home }: Person, profile: string): Promise<readonly string[] | undefined> {
  const text = await readFile(join(home, ".dsh", "profiles", profile, "package.json"), "utf8").catch(() => undefined);
  return text === undefined
    ? undefined
    : (JSON.parse(text) as { dsh: { profile: { bundles: readonly string[] } } }).dsh.profile.bundles;
}

describe("setup dsh", () => {
  it("says what it would do, and does nothing", async () => {
    const ana = await withDsh();
    const { code, stdout } = await ana.run("notesoup setup dsh", OFFLINE);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^would run: \S+\/bin\/dsh plugin --profile web add @notesoup\/dsh\nNothing was changed\./u,
      ),
    ]);
    expect(await bundles(ana, "web")).toBeUndefined();
  });

  it("adds the packed bundle to a profile with the real dsh, which then has the tools, and takes it back", async () => {
    await using model = await startDeepseekModel({ steps: ["Done.", "Done."] });
    const ana = await withDsh();
    const env = { ...OFFLINE.env, DEEPSEEK_BASE_URL: model.url, DEEPSEEK_API_KEY: "sk-none" };
    const packed = await ana.run(`npm pack --ignore-scripts --silent --pack-destination "$PWD" "${BUNDLE}"`);
    const line = `notesoup setup dsh --profile headless --from ./${packed.stdout.trim()} --yes`;
    expect(await ana.run(`${line} --json`, { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"done":true'),
    });
    expect(await bundles(ana, "headless")).toContain("@notesoup/dsh");
    expect(await ana.run("dsh --profile headless Hello.", { env })).toEqual({
      code: 0,
      signal: null,
      stdout: "Done.\n",
      stderr: "",
    });
    expect(model.requests.flatMap(toolNames)).toContain("notes_write");

    expect(await ana.run(`${line} --remove`, { env })).toMatchObject({
      code: 0,
      stdout: "The profile headless of dsh has no rows of notesoup any more. The notes stay.\n",
    });
    expect(await bundles(ana, "headless")).not.toContain("@notesoup/dsh");
  });

  it("refuses where there is no dsh or no pnpm, for a folder, and where dsh refuses", async () => {
    const nobody = await newPerson(command.folder());
    expect(await nobody.run("notesoup setup dsh --yes")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: host_not_found: there is no dsh [^\n]*\n$/u),
    });
    await nobody.program("dsh", "exit 1");
    expect(await nobody.run("notesoup setup dsh --yes")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: host_not_found: there is no pnpm [^\n]*\n$/u),
    });
    const ana = await withDsh();
    expect(await ana.run(`notesoup setup dsh --from "${BUNDLE}" --yes`, OFFLINE)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("npm pack"),
    });
    const { code, stdout, stderr } = await ana.run("notesoup setup dsh --from ./nothing.tgz --yes", OFFLINE);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: host_failed: [^\n]*\n$/mu);
  });
});
