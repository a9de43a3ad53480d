import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findSessions } from "../src/discovery.ts";
import { TestHome } from "./corpus-fixture.ts";

const found = async (home: TestHome): Promise<string[]> =>
  (await findSessions(home.roots)).map(({ harness, id, lastActivity }) => `${harness}:${id} ${lastActivity / 1000}`);

describe("the sessions of a harness", () => {
  it("of Pi are files of a time and an id, in its folder or in folders of projects", async () => {
    const home = await TestHome.create();
    await home.write("pi/--work--/2026-11-30T10-00-00-000Z_019a-b.jsonl", "", 3);
    await home.write("pi/2026-11-30T10-00-00-000Z_flat_id.jsonl", "", 2);
    await home.write("pi/--work--/2026-11-30T10-00-00-000Z_.jsonl", "");
    await home.write("pi/--work--/notes.jsonl", "");
    await home.write("pi/--work--/2026-11-30T10-00-00-000Z_x.jsonl.bak", "");
    await home.write("pi/--work--/deeper/2026-11-30T10-00-00-000Z_y.jsonl", "");
    expect(await found(home)).toEqual(["pi:019a-b 3", "pi:flat_id 2"]);
  });

  it("of Claude Code are the files of its projects, and never those of subagents in folders", async () => {
    const home = await TestHome.create();
    await home.write("claude/-work/0a-1.jsonl", "", 3);
    await home.write("claude/-other/0a-2.jsonl", "", 2);
    await home.write("claude/-work/0a-1/subagents/agent-1.jsonl", "");
    await home.write("claude/top.jsonl", "");
    await home.write("claude/-work/settings.json", "");
    expect(await found(home)).toEqual(["claude:0a-1 3", "claude:0a-2 2"]);
  });

  it("of dsh are folders, whose names write what is not safe as its UTF-16 units", async () => {
    const home = await TestHome.create();
    await home.write("dsh/--work--/session-1/session.jsonl.zstd", "", 5);
    await home.write("dsh/_no-cwd/a~002Fb~007Ec/session.jsonl", "", 4);
    await home.write("dsh/--work--/~D83D~DE00/session.jsonl", "", 3);
    await home.write("dsh/--work--/~002E~002E/session.jsonl", "", 2);
    await home.write("dsh/--work--/other/events.jsonl", "");
    expect(await found(home)).toEqual(["dsh:session-1 5", "dsh:a/b~c 4", "dsh:😀 3", "dsh:.. 2"]);
  });

  it("of dsh are read from the compressed file where both are there", async () => {
    const home = await TestHome.create();
    await home.write("dsh/p/one/session.jsonl", "{}\n", 9);
    const path = await home.write("dsh/p/one/session.jsonl.zstd", "x", 1);
    expect(await findSessions(home.roots)).toMatchObject([{ id: "one", path }]);
  });

  it("of dsh are read from the plain file where the compressed one beside it is empty", async () => {
    const home = await TestHome.create();
    const path = await home.write("dsh/p/one/session.jsonl", "{}\n", 1);
    const compressed = await home.write("dsh/p/one/session.jsonl.zstd", "", 9);
    expect(await findSessions(home.roots)).toMatchObject([{ id: "one", path }]);
    await home.write("dsh/p/one/session.jsonl", "", 1);
    expect(await findSessions(home.roots)).toMatchObject([{ id: "one", path: compressed }]);
  });
});

describe("all sessions", () => {
  it("are in the order of the last activity, the newest first; of one time, by where they lie", async () => {
    const home = await TestHome.create();
    await home.pi("old", [], 10);
    await home.claude("b", [], 20);
    await home.claude("a", [], 20);
    await home.dsh("new", [], 30);
    expect(await found(home)).toEqual(["dsh:new 30", "claude:a 20", "claude:b 20", "pi:old 10"]);
  });

  it("are each there once, from the file that was written last", async () => {
    const home = await TestHome.create();
    await home.write("claude/-one/same.jsonl", "", 10);
    const path = await home.write("claude/-two/same.jsonl", "", 20);
    await home.dsh("same", [], 15);
    expect(await findSessions(home.roots)).toMatchObject([{ harness: "claude", id: "same", path }, { harness: "dsh" }]);
    expect(await findSessions({ claude: [...(home.roots.claude ?? []), ...(home.roots.claude ?? [])] })).toHaveLength(
      1,
    );
  });

  it("may lie behind links, of files and folders", async () => {
    const home = await TestHome.create();
    const path = await home.write("elsewhere/project/one.jsonl", "", 7);
    await mkdir(join(home.root, "claude/-work"), { recursive: true });
    await symlink(path, join(home.root, "claude/-work/linked.jsonl"));
    await symlink(join(home.root, "elsewhere/project"), join(home.root, "claude/project"));
    expect(await found(home)).toEqual(["claude:linked 7", "claude:one 7"]);
  });

  it("are without what only looks like one: a folder, a link to nothing", async () => {
    const home = await TestHome.create();
    await mkdir(join(home.root, "claude/-work/folder.jsonl"), { recursive: true });
    await symlink("nowhere", join(home.root, "claude/-work/broken.jsonl"));
    expect(await found(home)).toEqual([]);
  });

  it("are none in folders that are missing, or are none", async () => {
    const home = await TestHome.create();
    expect(await found(home)).toEqual([]);
    expect(await findSessions({})).toEqual([]);
    const file = await home.write("file", "");
    await home.claude("one", [], 1);
    expect(await findSessions({ pi: [file], dsh: [file], claude: [file, ...(home.roots.claude ?? [])] })).toHaveLength(
      1,
    );
  });
});
