import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installClaude } from "@notesoup/host-claude";
import { describe, expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";
import { newPerson, type Person } from "./person.ts";

const command = packedCommand();

const PLUGIN = fileURLToPath(new URL("../../claude", import.meta.url));

const OFFLINE = { env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" } };

async function withClaude(): Promise<Person> {
  const ana = await newPerson(command.folder());
  const { binary } = await installClaude();
  await ana.program("claude", `exec "${binary}" "$@"`);
  return ana;
}

/** The file that names the package to Claude Code. */
const marketplaceOf = ({ home }: Person): Promise<string | undefined> =>
  readFile(join(home, ".agents", "notesoup-marketplace", ".claude-plugin", "marketplace.json"), "utf8").catch(
    () => undefined,
  );

describe("setup claude", () => {
  it("says what it would do, and does nothing", async () => {
    const ana = await withClaude();
    const { code, stdout } = await ana.run("notesoup setup claude", OFFLINE);
    expect(code).toBe(0);
    expect(
      stdout.split("\n").map((line) => line.replaceAll(ana.home, "~").replace(/\S+\/bin\/claude/u, "claude")),
    ).toEqual([
      "would write: ~/.agents/notesoup-marketplace/.claude-plugin/marketplace.json, which names the package @notesoup/claude",
      "would run: claude plugin marketplace add ~/.agents/notesoup-marketplace",
      "would run: claude plugin install notesoup@notesoup",
      "Nothing was changed. Run the same again with --yes to do it.",
      "With --remove --yes it is taken back; notes and sessions stay.",
      "",
    ]);
    expect(await marketplaceOf(ana)).toBeUndefined();
  });

  it("installs the plugin from its folder with the real Claude Code, and takes it back", async () => {
    const ana = await withClaude();
    const line = `notesoup setup claude --from "${PLUGIN}" --yes`;
    expect(await ana.run(`${line} --json`, OFFLINE)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"done":true'),
    });
    expect((await ana.run("claude plugin list", OFFLINE)).stdout).toContain("notesoup@notesoup");
    expect(await ana.run(`${line} --remove`, OFFLINE)).toMatchObject({
      code: 0,
      stdout: "Claude Code has no tools of notesoup any more. The notes stay.\n",
    });
    expect((await ana.run("claude plugin list", OFFLINE)).stdout).not.toContain("notesoup@notesoup");
  });

  it("names the package to Claude Code where that is to be had from npm, and leaves nothing where it is not", async () => {
    const ana = await newPerson(command.folder());
    const { binary } = await installClaude();
    const seen = join(ana.home, "seen.json");
    const keep = `[ "$3" = add ] && cp "$4/.claude-plugin/marketplace.json" "${seen}"`;
    await ana.program("claude", `${keep}\nexec "${binary}" "$@"`);
    // Claude Code looks for the package, and finds none of that name.
    const { code, stderr } = await ana.run("notesoup setup claude --from npm:./not-a-package --yes", {
      env: { ...OFFLINE.env, npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0" },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: host_failed: [^\n]*plugin install notesoup@notesoup: it ended with 1$/mu);
    expect(JSON.parse(await readFile(seen, "utf8"))).toMatchObject({
      name: "notesoup",
      plugins: [{ name: "notesoup", source: { source: "npm", package: "./not-a-package" } }],
    });
    expect(await marketplaceOf(ana)).toBeUndefined();
    expect((await ana.run("claude plugin marketplace list", OFFLINE)).stdout).not.toContain("notesoup");
  });

  it("takes back what there is of an installation that was cut off", async () => {
    const ana = await withClaude();
    await ana.run(`claude plugin marketplace add "${PLUGIN}"`, OFFLINE);
    expect(await ana.run("notesoup setup claude --remove --yes", OFFLINE)).toMatchObject({ code: 0 });
    expect((await ana.run("claude plugin marketplace list", OFFLINE)).stdout).not.toContain("notesoup");
    expect(await ana.run("notesoup setup claude --remove --yes", OFFLINE)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: host_failed: /mu),
    });
  });

  it("refuses where there is no Claude Code, and where there is no such folder", async () => {
    const nobody = await newPerson(command.folder());
    expect(await nobody.run("notesoup setup claude --yes")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: host_not_found: [^\n]*\n$/u),
    });
    const ana = await withClaude();
    expect(await ana.run("notesoup setup claude --from ./nowhere --yes", OFFLINE)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: host_failed: \S+\/nowhere is no folder; [^\n]*\n$/u),
    });
  });
});
