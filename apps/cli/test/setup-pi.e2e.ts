import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPi } from "@notesoup/host-pi";
import { describe, expect, it } from "vitest";
import { packedCommand } from "./packed-command.ts";
import { newPerson, type Person } from "./person.ts";

const command = packedCommand();

const EXTENSION = fileURLToPath(new URL("../../pi", import.meta.url));

const OFFLINE = { env: { PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1" } };

async function withPi(): Promise<Person> {
  const ana = await newPerson(command.folder());
  const { cli } = await installPi();
  await ana.program("pi", `exec "${process.execPath}" "${cli}" "$@"`);
  return ana;
}

const settingsOf = ({ home }: Person): Promise<string | undefined> =>
  readFile(join(home, ".pi", "agent", "settings.json"), "utf8").catch(() => undefined);

describe("setup pi", () => {
  it("says what it would do, and does nothing", async () => {
    const ana = await withPi();
    const { code, stdout } = await ana.run("notesoup setup pi", OFFLINE);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^would run: \S+\/bin\/pi install npm:@notesoup\/pi\nNothing was changed\./u),
    ]);
    expect(await settingsOf(ana)).toBeUndefined();
  });

  it("installs the extension with the real Pi, and takes it back", async () => {
    const ana = await withPi();
    const line = `notesoup setup pi --from "${EXTENSION}" --yes`;
    expect(await ana.run(`${line} --json`, OFFLINE)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"done":true'),
    });
    expect((await ana.run("pi list", OFFLINE)).stdout).toContain("apps/pi");
    expect(await ana.run(`${line} --remove`, OFFLINE)).toMatchObject({
      code: 0,
      stdout: "Pi has no tools of notesoup any more. The notes stay.\n",
    });
    expect((await ana.run("pi list", OFFLINE)).stdout).not.toContain("apps/pi");
  });

  it("refuses where there is no Pi, and where Pi refuses", async () => {
    const nobody = await newPerson(command.folder());
    expect(await nobody.run("notesoup setup pi --yes")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: host_not_found: [^\n]*\n$/u),
    });
    const ana = await withPi();
    const { code, stdout, stderr } = await ana.run("notesoup setup pi --from ./nowhere --yes", OFFLINE);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: host_failed: [^\n]*\n$/mu);
  });
});
