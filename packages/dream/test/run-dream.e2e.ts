import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REFUSAL_CODES } from "@notesoup/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { examine, type DreamOutcome, type DreamTask, type RunDreamOptions, runDream, undoDream } from "../src/index.ts";
import { audit, dreamPlace, type DreamPlace, filesOf, fill, lastChanges, noteText } from "./dream-fixture.ts";

/** A dreamer that follows a script: it calls tools by name, and sees their texts. */
type Script = (call: (name: string, args: object) => Promise<string>, task: DreamTask) => Promise<void>;

function dreamOf(place: DreamPlace, script: Script, options: Partial<RunDreamOptions> = {}): Promise<DreamOutcome> {
  const host = {
    run: (task: DreamTask) =>
      script(async (name, args) => {
        const tool = task.tools.find(({ contract }) => contract.name === name);
        return tool === undefined ? `no tool is named ${name}` : (await tool.call(args)).text;
      }, task),
  };
  return runDream({ ...place.options, host, force: true, ...options });
}

/** A store in which all is to be tidied that a dream is for. */
async function untidyPlace(): Promise<DreamPlace> {
  const place = await dreamPlace();
  fill(place, 12, 6);
  const project = "project/app-0a1b2c3d";
  place.put(`${project}/deploy.md`, noteText("Deploy with make release.\nThe server is alpha.\n"));
  place.put(`${project}/deploy-2.md`, noteText("Deploy with make release.\nIt takes ten minutes.\n"));
  place.put(
    `${project}/refs.md`,
    noteText("See old-name.md for the rest of this, which says how the release is made.\n"),
  );
  place.put(
    `${project}/large.md`,
    noteText(Array.from({ length: 200 }, (_, line) => `${line < 100 ? "api" : "ui"} fact ${line}\n`).join("")),
  );
  place.put(`${project}/MAP.md`, noteText("# Map\n- deploy.md\n- deploy-2.md\n- gone.md\n- large.md\n- refs.md\n"));
  return place;
}

const tidy: Script = async (call, { run }) => {
  for (const name of ["deploy", "deploy-2", "refs", "large", "MAP"])
    await call("notes_read", { address: `@project/${name}.md` });
  await call("notes_update", {
    address: "@project/deploy.md",
    edits: [{ old_text: "alpha.\n", new_text: "alpha.\nIt takes ten minutes.\n" }],
  });
  await call("notes_update", { address: "@project/deploy-2.md", crumpled: true });
  await call("notes_update", {
    address: "@project/refs.md",
    edits: [{ old_text: "old-name.md", new_text: "deploy.md" }],
  });
  const half = (word: string, from: number): string =>
    Array.from({ length: 100 }, (_, line) => `${word} fact ${from + line}\n`).join("");
  await call("notes_write", { address: "@project/large-api.md", content: half("api", 0) });
  await call("notes_write", { address: "@project/large-ui.md", content: half("ui", 100) });
  await call("notes_write", { address: "@project/large.md", content: "Split: large-api.md, large-ui.md\n" });
  await call("notes_write", {
    address: "@project/MAP.md",
    content: "# Map\n- deploy.md\n- large-api.md\n- large-ui.md\n- refs.md\n",
  });
  await call("dream_end", { run, report: "merged, corrected, split" });
};

describe("a dreamer that tidies", () => {
  it("does what it was to do, is counted as git counts, and is taken back to the last byte and mode", async () => {
    const place = await untidyPlace();
    const before = filesOf(place.home);
    const outcome = await dreamOf(place, tidy);
    expect(outcome).toMatchObject({ status: "ended", result: { changed: 6, crumpled: 1, purged: 0, left_open: 12 } });
    expect(lastChanges(place.home)).toEqual([
      "M\tproject/app-0a1b2c3d/MAP.md",
      "M\tproject/app-0a1b2c3d/deploy-2.md",
      "M\tproject/app-0a1b2c3d/deploy.md",
      "A\tproject/app-0a1b2c3d/large-api.md",
      "A\tproject/app-0a1b2c3d/large-ui.md",
      "M\tproject/app-0a1b2c3d/large.md",
      "M\tproject/app-0a1b2c3d/refs.md",
    ]);
    expect((await undoDream(place.options)).kept).toEqual([]);
    expect(filesOf(place.home)).toEqual(before);
  });

  it("keeps what a person has changed since when it is taken back, and names it", async () => {
    const place = await untidyPlace();
    await dreamOf(place, tidy);
    await place.store.update("@project/deploy.md", [{ oldText: "alpha", newText: "beta" }]);
    const mine = readFileSync(join(place.home, "project/app-0a1b2c3d/deploy.md"), "utf8");
    expect((await undoDream(place.options)).kept).toEqual(["project/app-0a1b2c3d/deploy.md"]);
    expect(readFileSync(join(place.home, "project/app-0a1b2c3d/deploy.md"), "utf8")).toBe(mine);
    expect(existsSync(join(place.home, "project/app-0a1b2c3d/large-api.md"))).toBe(false);
  });

  it("that falls silent without a report has ended all the same", async () => {
    const place = await untidyPlace();
    const outcome = await dreamOf(
      place,
      async (call) => void (await call("notes_update", { address: "@project/deploy-2.md", crumpled: true })),
    );
    expect(outcome).toMatchObject({ status: "ended", result: { changed: 0, crumpled: 1 } });
  });

  it("reads in its prompt which run it is, what it may change, and what is refused", async () => {
    const place = await untidyPlace();
    let task: DreamTask | undefined;
    await dreamOf(place, async (_call, given) => void (task = given), { scope: "@project/**" });
    expect(task?.prompt).toContain(task?.run ?? "none");
    expect(task?.prompt).toContain("@project/**");
    const named = REFUSAL_CODES.filter((code) => task?.prompt.includes(code));
    expect(named).toEqual(["changed_since", "dream_aborted", "out_of_scope"]);
    for (const { contract } of task?.tools ?? []) expect(contract.name).toMatch(/^(?:notes|history|dream)_/u);
  });
});

describe("a dreamer that behaves badly", () => {
  const everyNote = Array.from({ length: 10 }, (_, index) => `@project/n${index}.md`);
  const scripts: readonly (readonly [string, Script, string])[] = [
    [
      "crumples everything",
      async (call, { run }) => {
        for (const address of everyNote) await call("notes_update", { address, crumpled: true });
        await call("dream_end", { run, report: "tidied all" });
      },
      "40 per cent",
    ],
    [
      "rewrites everything to one line",
      async (call) => {
        for (const address of everyNote) await call("notes_write", { address, content: "It said something.\n" });
      },
      "40 per cent",
    ],
    [
      "empties bodies, many at once",
      async (call) => {
        await Promise.all(everyNote.map((address) => call("notes_write", { address, content: "" })));
      },
      "40 per cent",
    ],
    [
      "loops for ever",
      async (call) => {
        for (;;) if ((await call("notes_list", {})).includes("dream_aborted")) await new Promise(() => undefined);
      },
      "it made more than 40 calls",
    ],
    [
      "changes a little, and then breaks down",
      async (call) => {
        await call("notes_update", { address: "@project/n1.md", edits: [{ old_text: "line 1", new_text: "LINE" }] });
        throw new Error("the model some-model does not exist");
      },
      "the model some-model does not exist",
    ],
  ];

  it.each(scripts)("and %s is stopped, nothing of it is kept, and nobody waits for it", async (_what, script, why) => {
    const place = await dreamPlace();
    fill(place, 10);
    const before = filesOf(place.home);
    const outcome = await dreamOf(place, script, { limits: { calls: 40 } });
    expect(outcome).toMatchObject({ status: "stopped", kept: [], message: expect.stringContaining(why) as string });
    expect(filesOf(place.home)).toEqual(before);
    expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
    expect(lastChanges(place.home)).toEqual([]);
    expect(audit(place.home, "log", "-1", "--format=%s")).toContain("Dream stopped");
    const [report = ""] = readdirSync(join(place.home, "dreams"));
    expect(readFileSync(join(place.home, "dreams", report), "utf8")).toContain("nothing of it was kept");
    // The next one may begin.
    expect(await dreamOf(place, async () => undefined)).toMatchObject({ status: "ended" });
  });

  it("and takes too long is stopped", async () => {
    const place = await dreamPlace();
    fill(place, 10);
    const before = filesOf(place.home);
    const outcome = await dreamOf(place, () => new Promise(() => undefined), { limits: { milliseconds: 1 } });
    expect(outcome).toMatchObject({ status: "stopped", message: expect.stringContaining("1 milliseconds") as string });
    expect(filesOf(place.home)).toEqual(before);
  });

  it("and goes on after it was cancelled changes nothing", async () => {
    const place = await dreamPlace();
    fill(place, 10);
    const before = filesOf(place.home);
    const cancel = new AbortController();
    const late = Promise.withResolvers<string>();
    const outcome = await dreamOf(
      place,
      async (call, { signal }) => {
        await call("notes_update", { address: "@project/n1.md", crumpled: true });
        signal.addEventListener(
          "abort",
          () => void call("notes_update", { address: "@project/n2.md", crumpled: true }).then(late.resolve),
        );
        cancel.abort();
        await late.promise;
      },
      { signal: cancel.signal },
    );
    expect(outcome).toMatchObject({ status: "stopped", message: expect.stringContaining("cancelled") as string });
    await late.promise;
    expect(filesOf(place.home)).toEqual(before);
  });

  it("and calls what is no tool, or writes out of its scope, has done nothing", async () => {
    const place = await dreamPlace();
    fill(place, 10);
    place.put("human/a.md", noteText("the person's\n"));
    const before = filesOf(place.home);
    const said: string[] = [];
    const outcome = await dreamOf(
      place,
      async (call) => {
        said.push(await call("bash", { command: "rm -rf ~" }));
        said.push(await call("notes_write", { address: "@human/a.md", content: "x" }));
        said.push(await call("notes_write", { address: "../../etc/passwd", content: "x" }));
        said.push(await call("notes_write", { address: "@project/../human/a.md", content: "x" }));
      },
      { scope: "@project/**" },
    );
    expect(said.map((text) => text.split(":").slice(0, 2).join(":"))).toEqual([
      "no tool is named bash",
      "error: out_of_scope",
      "error: invalid_address",
      "error: invalid_address",
    ]);
    expect(outcome).toMatchObject({ status: "ended", result: { changed: 0, crumpled: 0, purged: 0 } });
    expect(filesOf(place.home)).toEqual(before);
  });

  it("and edits what a person changes in that moment leaves the person's text, and takes back the rest", async () => {
    const place = await dreamPlace();
    fill(place, 10);
    const before = filesOf(place.home);
    const outcome = await dreamOf(place, async (call) => {
      await call("notes_update", { address: "@project/n1.md", edits: [{ old_text: "line 1", new_text: "LINE" }] });
      await place.store.update("@project/n1.md", [{ oldText: "line 2", newText: "the person's" }]);
      await call("notes_write", { address: "@project/n1.md", content: "mine" });
      throw new Error("and then it broke down");
    });
    expect(outcome).toMatchObject({ status: "stopped", kept: ["project/app-0a1b2c3d/n1.md"] });
    const after = filesOf(place.home);
    expect(after["project/app-0a1b2c3d/n1.md"]).toContain("the person's");
    expect({ ...after, "project/app-0a1b2c3d/n1.md": "" }).toEqual({ ...before, "project/app-0a1b2c3d/n1.md": "" });
  });
});

const canMount = process.geteuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;

it("whose audit breaks while it works is given back all the same, and is settled when that is in order again", async () => {
  const place = await dreamPlace();
  fill(place, 10);
  const before = filesOf(place.home);
  const objects = join(place.home, ".git/objects");
  const outcome = await dreamOf(place, async (call) => {
    await call("notes_update", { address: "@project/n1.md", crumpled: true });
    renameSync(objects, `${objects}.gone`);
    throw new Error("it broke down");
  });
  expect(outcome).toMatchObject({
    status: "stopped",
    message: expect.stringContaining("could not be taken back yet") as string,
  });
  expect(filesOf(place.home)).toEqual(before);
  expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
  expect((await examine(place.identity, Date.now())).findings.map(({ code }) => code)).toEqual(["dead_run"]);
  expect(await dreamOf(place, async () => undefined)).toMatchObject({ status: "refused", code: "audit_unavailable" });
  renameSync(`${objects}.gone`, objects);
  expect(await dreamOf(place, async () => undefined)).toMatchObject({ status: "ended" });
  expect((await examine(place.identity, Date.now())).status).toBe("clean");
});

describe("a dream that cannot begin", () => {
  it.skipIf(!canMount)("on a disk that can only be read is refused with io, and nothing has changed", async () => {
    const place = await dreamPlace();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", place.home]);
    onTestFinished(() => void execFileSync("umount", [place.home]));
    fill(place, 2);
    const before = filesOf(place.home);
    execFileSync("mount", ["-o", "remount,ro", place.home]);
    const outcome = await dreamOf(place, () => Promise.reject(new Error("it was asked")));
    expect(outcome).toMatchObject({
      status: "refused",
      code: "io",
      message: expect.stringContaining("EROFS") as string,
    });
    expect(filesOf(place.home)).toEqual(before);
  });

  it("is refused with a code, the host is not asked, and nothing has changed", async () => {
    const place = await dreamPlace();
    fill(place, 2);
    const before = filesOf(place.home);
    const never: Script = () => Promise.reject(new Error("it was asked"));
    expect(await dreamOf(place, never, { force: false })).toMatchObject({ status: "refused", code: "gate_closed" });
    expect(await dreamOf(place, never, { signal: AbortSignal.abort() })).toMatchObject({
      status: "refused",
      code: "dream_aborted",
    });
    expect(await dreamOf(place, never, { scope: "@nowhere/**" })).toMatchObject({
      status: "refused",
      code: "unknown_scope",
    });
    writeFileSync(
      join(place.home, ".dream.lock"),
      JSON.stringify({ run: "r0", host: "elsewhere", pid: 1, started: "1", time: "2026-12-01T00:00:00.000Z" }),
    );
    expect(await dreamOf(place, never)).toMatchObject({ status: "refused", code: "dream_locked" });
    rmSync(join(place.home, ".dream.lock"));
    symlinkSync("nowhere", join(place.home, ".git"));
    expect(await dreamOf(place, never)).toMatchObject({ status: "refused", code: "audit_unavailable" });
    rmSync(join(place.home, ".git"));
    expect(filesOf(place.home)).toEqual(before);
  });
});
