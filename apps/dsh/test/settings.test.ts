import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import { settingsOf, whyNotWritable } from "../src/settings.ts";

const NOBODY = 65_534;

describe("the configuration of a row", () => {
  it("is the defaults where there is none, with the home of every host", () => {
    for (const nothing of [undefined, null, {}]) {
      expect(settingsOf(nothing, {})).toEqual({
        settings: {
          agent: undefined,
          enabled: true,
          reminderMarginTokens: 24_576,
          lastWordMarginTokens: 12_288,
          autoReset: true,
          home: join(homedir(), ".agents", "notes"),
          reserveTokens: undefined,
        },
        warnings: [],
      });
    }
    expect(settingsOf({}, { NOTESOUP_HOME: "/n" }).settings.home).toBe("/n");
  });

  it("goes before the environment, and a name is made a slug", () => {
    const { settings, warnings } = settingsOf(
      { home: "/own", agent: "My Agent", reserveTokens: 0, autoReset: false },
      { NOTESOUP_HOME: "/n" },
    );
    expect(settings).toMatchObject({ home: "/own", agent: "my-agent", reserveTokens: 0, autoReset: false });
    expect(settingsOf({ home: "~/own" }, { HOME: "/me" }).settings.home).toBe("/me/own");
    expect(warnings).toEqual([]);
  });

  it.each([["text"], [[]], [7]])("that is %j and no object is ignored with a warning", (config) => {
    const { settings, warnings } = settingsOf(config, { NOTESOUP_HOME: "/n" });
    expect(settings).toMatchObject({ home: "/n", enabled: true });
    expect(warnings).toEqual([expect.stringMatching(/^the setting notesoup was ignored: expected an object/u)]);
  });
});

describe("a home", () => {
  it("can be written where it is a folder, and where it is not there and can be made", async () => {
    const folder = await temporaryFolder();
    expect(whyNotWritable(folder)).toBeUndefined();
    expect(whyNotWritable(join(folder, "a", "b"))).toBeUndefined();
  });

  it("cannot where it is a file, or below one", async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    expect(whyNotWritable(join(folder, "file"))).toBe("it is no folder");
    expect(whyNotWritable(join(folder, "file", "notes"))).toBe("a part of its path is no folder");
  });

  it("cannot where the folder that it would be made in is closed", async () => {
    const folder = join(await temporaryFolder(), "closed");
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    chmodSync(dirname(folder), 0o755);
    // For root no folder is closed: a process looks that is root until it has loaded what it needs.
    const look = `import { whyNotWritable } from ${JSON.stringify(new URL("../src/settings.ts", import.meta.url).href)};
      if (process.getuid() === 0) process.setgid(${NOBODY}), process.setuid(${NOBODY});
      console.log(whyNotWritable(${JSON.stringify(join(folder, "notes"))}));`;
    const args = ["--conditions=@notesoup/source", "--input-type=module", "--eval", look];
    expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe("EACCES\n");
  });
});
