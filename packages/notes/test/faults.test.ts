import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNotesStore, type NotesStore } from "../src/index.ts";
import { breakStep } from "./broken-step.ts";
import { identityIn } from "./identities.ts";
import { temporaryFolder } from "@notesoup/testing";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Root in a container may be refused what it takes. */
const canMount = isRoot && spawnSync("unshare", ["-m", "true"]).status === 0;

/** Every file below a folder, with its bytes: what must not change. */
function tree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names.map((entry) => [
      join(entry.parentPath, entry.name),
      entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "latin1") : "folder",
    ]),
  );
}

/** Runs `work` as a user who does not own the files: root would pass every permission. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

const refusesIo = (systemCode: string, wayOn: string) =>
  expect.objectContaining({
    name: "NoteError",
    code: "io",
    message: expect.stringMatching(new RegExp(`^cannot write @project/a\\.md: .*${wayOn}.* \\(${systemCode}\\)$`, "u")),
  });

describe("a home that cannot be written", () => {
  it("because a file is in its place, is refused with the system's code and the way on, and without its path", async () => {
    const home = join(await temporaryFolder(), "notes");
    writeFileSync(home, "a file");
    const refused = createNotesStore(identityIn(home)).write("@project/a", "x");
    await expect(refused).rejects.toThrow(
      refusesIo("ENOTDIR", "a file stands where a folder is needed; choose another address, or another notes home"),
    );
    await expect(refused).rejects.not.toThrow(home);
    expect(readFileSync(home, "utf8")).toBe("a file");
  });

  it.runIf(isRoot)(
    "for want of permission, is refused and nothing changes; reading goes on without counting",
    async () => {
      const parent = await temporaryFolder();
      chmodSync(parent, 0o755);
      const home = join(parent, "notes");
      const store = createNotesStore(identityIn(home));
      await store.write("@project/a", "old");
      chmodSync(home, 0o755);
      for (const folder of ["project", "project/app-0a1b2c3d"]) chmodSync(join(home, folder), 0o755);
      chmodSync(join(home, "project/app-0a1b2c3d/a.md"), 0o644);
      const before = tree(parent);
      await asNobody(async () => {
        await expect(store.write("@project/a", "new")).rejects.toThrow(
          refusesIo("EACCES", "permission denied; make the notes home"),
        );
        await expect(store.write("@human/deep/b", "new")).rejects.toThrow(expect.objectContaining({ code: "io" }));
        expect(await store.read("@project/a")).toMatchObject({ body: "old", meta: { accessCount: 0 } });
      });
      expect(tree(parent)).toEqual(before);
    },
  );

  it("at a place where no folder can be made is refused, and the look for one ends", async () => {
    const refused = createNotesStore(identityIn("/proc/notesoup")).write("@project/a", "x");
    await expect(refused).rejects.toThrow(refusesIo("ENOENT", "choose another notes home"));
  });

  it.runIf(canMount)("for want of space, keeps the old note and leaves no temporary file and no folder", async () => {
    const home = await temporaryFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", home]);
    onTestFinished(() => void execFileSync("umount", [home]));
    const store = createNotesStore(identityIn(home));
    await store.write("@project/a", "old");
    const before = tree(home);
    await expect(store.write("@project/a", "x".repeat(100_000))).rejects.toThrow(
      refusesIo("ENOSPC", "no space is left on the device; free some"),
    );
    await expect(store.write("@human/deep/er/b", "x".repeat(100_000))).rejects.toMatchObject({ code: "io" });
    expect(tree(home)).toEqual(before);
    execFileSync("mount", ["-o", "remount,ro", home]);
    await expect(store.write("@project/a", "new")).rejects.toThrow(refusesIo("EROFS", "read-only"));
    expect(await store.read("@project/a")).toMatchObject({ body: "old", meta: { accessCount: 0 } });
    expect(tree(home)).toEqual(before);
  });

  it.runIf(isRoot)("is not written around a note that its owner has protected", async () => {
    const parent = await temporaryFolder();
    chmodSync(parent, 0o755);
    const home = join(parent, "notes");
    const folder = join(home, "project", "app-0a1b2c3d");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "a.md"), "---\norigin: user\n---\nold", { mode: 0o444 });
    for (const path of [home, join(home, "project"), folder, join(folder, "a.md")]) chownSync(path, NOBODY, NOBODY);
    const store = createNotesStore(identityIn(home));
    await asNobody(async () => {
      await expect(store.write("@project/a", "new")).rejects.toThrow(refusesIo("EACCES", "permission denied"));
      expect(await store.read("@project/a")).toMatchObject({ body: "old", meta: { accessCount: 0 } });
    });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("---\norigin: user\n---\nold");
  });
});

describe("a note of another's", () => {
  it.runIf(isRoot)("that everybody may write is written, and becomes the writer's", async () => {
    const { home, file } = await notesOf({ mode: 0o666, uid: 0, gid: 2000 });
    await asNobody(() => createNotesStore(identityIn(home)).write("@project/a", "new"));
    // The group could not be kept, and so what it was allowed is not handed to another.
    expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: NOBODY, mode: 0o100606 });
  });

  it.runIf(isRoot)("of a group of the writer's stays of that group", async () => {
    const { home, file } = await notesOf({ mode: 0o660, uid: 0, gid: 2000 });
    const groups = process.getgroups?.() ?? [];
    process.setgroups?.([2000]);
    try {
      await asNobody(() => createNotesStore(identityIn(home)).write("@project/a", "new"));
    } finally {
      process.setgroups?.(groups);
    }
    expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: 2000, mode: 0o100660 });
  });

  it.runIf(isRoot)("keeps its owner where root writes it", async () => {
    const { home, file } = await notesOf({ mode: 0o640, uid: NOBODY, gid: 2000 });
    await createNotesStore(identityIn(home)).write("@project/a", "new");
    expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: 2000, mode: 0o100640 });
  });
});

/** A note in folders that everybody may write. */
async function notesOf({
  mode,
  uid,
  gid,
}: {
  mode: number;
  uid: number;
  gid: number;
}): Promise<{ home: string; file: string }> {
  const home = await temporaryFolder();
  const folder = join(home, "project", "app-0a1b2c3d");
  mkdirSync(folder, { recursive: true });
  for (const path of [home, join(home, "project"), folder]) chmodSync(path, 0o777);
  const file = join(folder, "a.md");
  writeFileSync(file, "---\norigin: user\n---\nold");
  chownSync(file, uid, gid);
  chmodSync(file, mode);
  return { home, file };
}

const KILLED_AT = fileURLToPath(new URL("killed-at.ts", import.meta.url));
const CHANGE_ONCE = fileURLToPath(new URL("change-once.ts", import.meta.url));

/** Every way to change a note, and the note that it is about. */
const CHANGES: Readonly<Record<string, (store: NotesStore) => Promise<unknown>>> = {
  "a new note": (store) => store.write("@human/deep/b", "new"),
  "a write over one": (store) => store.write("@project/a", "new"),
  "an update": (store) => store.update("@project/a", [{ oldText: "old", newText: "new" }]),
  "a move": (store) => store.rename("@project/a", "@human/deep/b"),
  "a move over a crumpled one": (store) => store.rename("@project/a", "@project/crumpled"),
};

async function withTwoNotes(): Promise<{ home: string; store: NotesStore }> {
  const home = await temporaryFolder();
  const store = createNotesStore(identityIn(home));
  await store.write("@project/a", "old");
  await store.write("@project/crumpled", "spent");
  await store.update("@project/crumpled", [], { crumpled: true });
  return { home, store };
}

describe.each(["open", "write", "sync", "rename"] as const)("a failure at the step %s", (step) => {
  it.each(["ENOSPC", "EACCES", "EROFS", "EMFILE"])(
    "with %s refuses every change with its code, and changes nothing",
    async (code) => {
      const { home, store } = await withTwoNotes();
      const before = tree(home);
      const restore = breakStep(step, () => {
        throw Object.assign(new Error("broken"), { code, syscall: step });
      });
      try {
        for (const change of Object.values(CHANGES)) {
          await expect(change(store)).rejects.toMatchObject({
            name: "NoteError",
            code: "io",
            message: expect.stringMatching(new RegExp(`^cannot write @\\S+: .*\\(${code}\\)$`, "u")),
          });
        }
        expect(await store.read("@project/a")).toMatchObject({ body: "old" });
      } finally {
        restore();
      }
      expect(bodiesIn(tree(home))).toEqual(bodiesIn(before));
    },
  );
});

it("a move whose source cannot be taken away is undone: the destination is as it was", async () => {
  const { home, store } = await withTwoNotes();
  const before = tree(home);
  const restore = breakStep("remove", (path) => {
    if (path.endsWith("/a.md")) throw Object.assign(new Error("broken"), { code: "EPERM", syscall: "unlink" });
  });
  try {
    for (const destination of ["@human/deep/b", "@project/crumpled"]) {
      await expect(store.rename("@project/a", destination)).rejects.toMatchObject({ code: "io" });
    }
  } finally {
    restore();
  }
  expect(tree(home)).toEqual(before);
});

/** The files without the lines that counting an access changes. */
function bodiesIn(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text.replace(/^(?:lastAccessed|accessCount): .*\n/gmu, "")]),
  );
}

describe.each(["open", "write", "sync", "rename", "remove"])("a process that is killed at the step %s", (step) => {
  it.each(["write", "update", "rename"].filter((change) => step !== "remove" || change === "rename"))(
    "of a change (%s) leaves the old note or the new one, nothing else that counts as a note, and no lock that holds others up",
    async (change) => {
      const { home, store } = await withTwoNotes();
      const child = spawnSync(
        process.execPath,
        ["--conditions=@notesoup/source", "--import", KILLED_AT, CHANGE_ONCE, home, change],
        { env: { ...process.env, KILLED_AT: step }, encoding: "utf8", timeout: 20_000 },
      );
      expect({ signal: child.signal, stderr: child.stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
      const rows = await store.list();
      // A move that dies before the source is taken away leaves both.
      const bodies = step === "remove" ? ["old", "old"] : ["old"];
      expect(rows.map(({ body }) => body)).toEqual(bodies);
      expect((await store.list({ crumpled: true })).map(({ body }) => body)).toEqual(["spent"]);
      expect((await store.update("@project/a", [{ oldText: "old", newText: "new" }])).applied).toBe(1);
    },
  );
});
