import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { historyToolContext, notesList, notesRead, notesSearch, notesUpdate, notesWrite } from "@notesoup/tools";
import { describe, expect, it } from "vitest";
import { createDream, dreamLog, dreamStatus, dreamTools, undoDream } from "../src/index.ts";
import {
  audit,
  begun,
  codeOf,
  dreamPlace,
  type DreamPlace,
  filesOf,
  fill,
  lastChanges,
  noteText,
  success,
} from "./dream-fixture.ts";

const HOUR = 3_600_000;
const body = ({ home }: DreamPlace, path: string): string =>
  readFileSync(join(home, path), "utf8").split("---\n").at(-1) ?? "";

describe("the tools of a dream", () => {
  it("are those of the dream, of notes and of history, and no others", async () => {
    const { options } = await dreamPlace();
    const names = (history: boolean): string[] =>
      dreamTools(createDream(options), history ? historyToolContext({}) : undefined).map(
        ({ contract }) => contract.name,
      );
    expect(names(true)).toEqual([
      "dream_begin",
      "notes_list",
      "notes_search",
      "notes_read",
      "notes_update",
      "notes_write",
      "history_list",
      "history_read",
      "dream_end",
    ]);
    expect(names(false).filter((name) => name.startsWith("history"))).toEqual([]);
  });

  it("refuse arguments that are none of theirs with one line, before anything is looked at", async () => {
    const { options } = await dreamPlace();
    const end = dreamTools(createDream(options), undefined).at(-1);
    expect(await end?.call({ run: 5, command: "rm" })).toEqual({
      text: expect.stringContaining("error: invalid_arguments: dream_end") as string,
    });
  });

  it("change nothing before the dream has begun, nor after it has ended", async () => {
    const place = await dreamPlace();
    fill(place, 3);
    const before = filesOf(place.home);
    const dream = createDream(place.options);
    expect(codeOf(await notesWrite(dream.context, { address: "@human/a.md", content: "x" }))).toBe("dream_aborted");
    const { run } = success(await dream.begin({ force: true }));
    success(await dream.end({ run, report: "" }));
    expect(codeOf(await notesWrite(dream.context, { address: "@human/a.md", content: "x" }))).toBe("dream_aborted");
    expect(codeOf(await notesUpdate(dream.context, { address: "@project/n1.md", crumpled: true }))).toBe(
      "dream_aborted",
    );
    expect(codeOf(await dream.begin({}))).toBe("dream_aborted");
    expect(filesOf(place.home)).toEqual(before);
  });
});

describe("the material of a dream", () => {
  it("is every live note in scope with its last access, page by page, each page within the output budget", async () => {
    const place = await dreamPlace({ now: () => Date.parse("2026-12-01T00:00:00.000Z") });
    fill(place, 400);
    place.put(
      "human/read.md",
      noteText("x", {
        lastAccessed: "2026-11-20T00:00:00.000Z",
        accessCount: 7,
        updatedAt: "2026-11-21T00:00:00.000Z",
      }),
    );
    place.put("human/spent.md", noteText("x", { crumpledAt: "2026-11-20T00:00:00.000Z" }));
    place.put("agents/other/theirs.md", noteText("x"));
    const dream = createDream(place.options);
    const first = await dream.begin({ force: true });
    const rows = [...success(first).rows];
    let after = success(first).next_after;
    let pages = 1;
    while (after !== null) {
      const page = await dream.begin({ after });
      expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(32_768);
      expect(Buffer.byteLength(JSON.stringify(success(page)))).toBeLessThanOrEqual(32_768);
      rows.push(...success(page).rows);
      after = success(page).next_after;
      pages++;
    }
    expect(pages).toBeGreaterThan(1);
    const addresses = rows.map(({ address }) => address);
    expect(addresses).toEqual([...new Set(addresses)].toSorted());
    expect(addresses).toHaveLength(402);
    expect(rows.find(({ address }) => address === "@human/read.md")).toEqual({
      address: "@human/read.md",
      bytes: 1,
      updated_at: "2026-11-21T00:00:00.000Z",
      last_accessed: "2026-11-20T00:00:00.000Z",
      access_count: 7,
      age_days: 10,
      changed: true,
    });
    await dream.stop("the test is over");
  });

  it("is what the scope says, and a scope that is no glob begins nothing", async () => {
    const place = await dreamPlace();
    fill(place, 3);
    place.put("human/a.md", noteText("x"));
    expect(codeOf(await createDream(place.options).begin({ scope: "@nowhere/**", force: true }))).toBe("unknown_scope");
    expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
    const dream = createDream(place.options);
    expect(success(await dream.begin({ scope: "@human/**", force: true })).rows.map(({ address }) => address)).toEqual([
      "@human/a.md",
    ]);
    await dream.stop("the test is over");
  });
});

describe("the jail", () => {
  it("lets every notebook in scope be written, whosever it is, and only those", async () => {
    const place = await dreamPlace();
    fill(place, 3);
    for (const path of [
      "agents/other/a.md",
      "models/other/a.md",
      "project/other-1/a.md",
      "pi/session/s-1/a.md",
      "human/a.md",
    ])
      place.put(
        path,
        noteText(
          `in ${path} is\na note of some lines\nthat say something\n`,
          path.includes("session") ? { project: "app-0a1b2c3d" } : {},
        ),
      );
    const { dream } = await begun(place, "{@agents/**,@models/**,@projects/**,@sessions/s-1/**}");
    const { context } = dream;
    for (const notebook of ["@agents/other", "@models/other", "@projects/other-1", "@sessions/s-1"]) {
      const written = success(await notesWrite(context, { address: `${notebook}/new.md`, content: "x" }));
      expect(written).toMatchObject({ address: `${notebook}/new.md`, outcome: "created" });
      const edited = await notesUpdate(context, {
        address: `${notebook}/a.md`,
        edits: [{ old_text: "in ", new_text: "still in " }],
      });
      expect(edited.text).toBe(`updated ${notebook}/a.md · 1 edit`);
      expect(success(await notesRead(context, { address: `${notebook}/a.md` })).text).toContain("still in ");
      expect((await notesUpdate(context, { address: `${notebook}/none.md`, crumpled: true })).text).toContain(
        `${notebook}/none.md`,
      );
    }
    expect(readFileSync(join(place.home, "pi/session/s-1/a.md"), "utf8")).toContain("project: app-0a1b2c3d\n");
    for (const address of ["@human/a.md", "@human/new.md", "own.md"]) {
      expect(codeOf(await notesWrite(context, { address, content: "x" })), address).toBe("out_of_scope");
    }
    expect(codeOf(await notesUpdate(context, { address: "@human/a.md", crumpled: true }))).toBe("out_of_scope");
    expect(codeOf(await notesUpdate(context, { address: "@agents/other/a.md", rename_to: "@human/b.md" }))).toBe(
      "out_of_scope",
    );
    expect(success(await notesRead(context, { address: "@human/a.md" })).text).toContain("in human/a.md");
    await dream.stop("the test is over");
  });

  it("moves notes between notebooks of two kinds, and refuses between two of one kind", async () => {
    const place = await dreamPlace();
    fill(place, 5);
    place.put("pi/session/s-1/a.md", noteText("x\n", { project: "p-1" }));
    const { dream } = await begun(place);
    const moved = await notesUpdate(dream.context, { address: "@sessions/s-1/a.md", rename_to: "@project/a.md" });
    expect(moved.text).toBe("updated @project/a.md · renamed from @sessions/s-1/a.md");
    expect(readFileSync(join(place.home, "project/app-0a1b2c3d/a.md"), "utf8")).not.toContain("project:");
    expect(
      codeOf(await notesUpdate(dream.context, { address: "@project/n1.md", rename_to: "@projects/other-1/n1.md" })),
    ).toBe("out_of_scope");
    await dream.stop("the test is over");
  });

  it("does not let a path of another session pose as a notebook of one's own", async () => {
    const place = await dreamPlace();
    fill(place, 3);
    place.put("pi/session/s-1/@human/a.md", noteText("theirs\n"));
    place.put("human/a.md", noteText("the person's\n"));
    const { dream } = await begun(place);
    expect(codeOf(await notesWrite(dream.context, { address: "@sessions/s-1/@human/a.md", content: "x" }))).toBe(
      "out_of_scope",
    );
    expect(body(place, "human/a.md")).toBe("the person's\n");
    await dream.stop("the test is over");
  });

  it("leads by no link out of its scope", async () => {
    const place = await dreamPlace();
    fill(place, 3);
    place.put("human/a.md", noteText("the person's\n"));
    place.put("shared/b.md", noteText("of no notebook\n"));
    symlinkSync("../../human/a.md", join(place.home, "project/app-0a1b2c3d/link.md"));
    symlinkSync("../../shared", join(place.home, "project/app-0a1b2c3d/shared"));
    symlinkSync("n1.md", join(place.home, "project/app-0a1b2c3d/same.md"));
    const before = filesOf(place.home);
    const { dream } = await begun(place, "@project/**");
    for (const name of ["link", "shared/b", "shared/new", "same"]) {
      expect(codeOf(await notesWrite(dream.context, { address: `@project/${name}.md`, content: "x" })), name).toBe(
        "out_of_scope",
      );
      expect(
        codeOf(await notesUpdate(dream.context, { address: `@project/${name}.md`, rename_to: "@project/moved.md" })),
        name,
      ).toBe("out_of_scope");
    }
    expect(filesOf(place.home)).toEqual(before);
    await dream.stop("the test is over");
  });

  it("deletes no crumpled note by moving another one onto it", async () => {
    const place = await dreamPlace();
    fill(place, 3);
    place.put("human/spent.md", noteText("spent\n", { crumpledAt: "2026-11-20T00:00:00.000Z" }));
    const { dream } = await begun(place);
    expect(codeOf(await notesUpdate(dream.context, { address: "@project/n1.md", rename_to: "@human/spent.md" }))).toBe(
      "already_exists",
    );
    expect(body(place, "human/spent.md")).toBe("spent\n");
    await dream.stop("the test is over");
  });

  it("counts no access: a dream that reads everything leaves every byte", async () => {
    const place = await dreamPlace();
    fill(place, 4);
    const before = filesOf(place.home);
    const { dream, run } = await begun(place);
    for (const { address } of success(await notesList(dream.context, { glob: "**" })).files)
      success(await notesRead(dream.context, { address }));
    success(await notesSearch(dream.context, { query: "line", glob: "**" }));
    expect(success(await dream.end({ run, report: "nothing to do" }))).toMatchObject({
      changed: 0,
      crumpled: 0,
      purged: 0,
      left_open: 0,
    });
    expect(filesOf(place.home)).toEqual(before);
    expect(lastChanges(place.home)).toEqual([]);
  });
});

describe("a note that a person changes while a dream works", () => {
  it("is refused with changed_since until it was read again, and the person's text is there (48, 78)", async () => {
    const place = await dreamPlace();
    fill(place, 5);
    const { dream, run } = await begun(place);
    const { context } = dream;
    success(await notesRead(context, { address: "@project/n1.md" }));
    await place.store.update("@project/n1.md", [{ oldText: "note 1 line 1", newText: "the person's line" }]);
    const edit = { address: "@project/n1.md", edits: [{ old_text: "line 3", new_text: "line three" }] };
    expect(codeOf(await notesUpdate(context, edit))).toBe("changed_since");
    expect(codeOf(await notesUpdate(context, { address: "@project/n1.md", crumpled: true }))).toBe("changed_since");
    expect(codeOf(await notesUpdate(context, { address: "@project/n1.md", rename_to: "@human/n1.md" }))).toBe(
      "changed_since",
    );
    expect(codeOf(await notesWrite(context, { address: "@project/n1.md", content: "x" }))).toBe("changed_since");
    expect(body(place, "project/app-0a1b2c3d/n1.md")).toContain("the person's line");

    success(await notesRead(context, { address: "@project/n1.md" }));
    success(await notesUpdate(context, edit));
    success(await dream.end({ run, report: "" }));
    expect(body(place, "project/app-0a1b2c3d/n1.md")).toContain("line three");
    // What the person did is a commit of its own, and undoing the dream gives it back.
    expect(audit(place.home, "log", "--format=%s").split("\n")[1]).toBe("What others changed during the dream");
    expect(lastChanges(place.home)).toEqual(["M\tproject/app-0a1b2c3d/n1.md"]);
    await undoDream(place.options);
    expect(body(place, "project/app-0a1b2c3d/n1.md")).toContain("the person's line");
    expect(body(place, "project/app-0a1b2c3d/n1.md")).not.toContain("line three");
  });

  it("has the person's text again when a dream that changed it before and after is taken back, ended or stopped", async () => {
    for (const end of ["end", "stop"]) {
      const place = await dreamPlace();
      fill(place, 5);
      const { dream, run } = await begun(place);
      const address = "@project/n1.md";
      success(await notesUpdate(dream.context, { address, edits: [{ old_text: "line 0", new_text: "line zero" }] }));
      await place.store.update(address, [{ oldText: "line 1", newText: "the person's line" }]);
      const persons = filesOf(place.home);
      success(await notesRead(dream.context, { address }));
      success(await notesUpdate(dream.context, { address, edits: [{ old_text: "line 3", new_text: "line three" }] }));
      if (end === "stop") await dream.stop("the test is over");
      else {
        success(await dream.end({ run, report: "" }));
        await undoDream(place.options);
      }
      expect(filesOf(place.home)).toEqual(persons);
    }
  });

  it("is refused where it was made, or removed, since the dream began", async () => {
    const place = await dreamPlace();
    fill(place, 5);
    const { dream } = await begun(place);
    place.put("human/new.md", "a person's own\n");
    rmSync(join(place.home, "project/app-0a1b2c3d/n1.md"));
    expect(codeOf(await notesWrite(dream.context, { address: "@human/new.md", content: "x" }))).toBe("changed_since");
    expect(codeOf(await notesWrite(dream.context, { address: "@project/n1.md", content: "x" }))).toBe("changed_since");
    expect(readFileSync(join(place.home, "human/new.md"), "utf8")).toBe("a person's own\n");
    await dream.stop("the test is over");
  });

  it("is not refused where it was only read", async () => {
    const place = await dreamPlace();
    fill(place, 5);
    const { dream, run } = await begun(place);
    await place.store.read("@project/n1.md");
    success(
      await notesUpdate(dream.context, {
        address: "@project/n1.md",
        edits: [{ old_text: "line 3", new_text: "line three" }],
      }),
    );
    success(await dream.end({ run, report: "" }));
    await place.store.read("@project/n1.md");
    expect((await undoDream(place.options)).kept).toEqual([]);
    expect(body(place, "project/app-0a1b2c3d/n1.md")).not.toContain("line three");
  });

  it("is kept and named when the dream is taken back, and the others are restored", async () => {
    const place = await dreamPlace();
    fill(place, 6);
    const before = filesOf(place.home);
    const { dream, run } = await begun(place);
    for (const name of ["n1", "n2"])
      success(
        await notesUpdate(dream.context, {
          address: `@project/${name}.md`,
          edits: [{ old_text: "line 3", new_text: "line three" }],
        }),
      );
    success(await dream.end({ run, report: "" }));
    await place.store.update("@project/n1.md", [{ oldText: "line 1", newText: "LINE ONE" }]);
    chmodSync(join(place.home, "project/app-0a1b2c3d/n2.md"), 0o600);
    const kept = filesOf(place.home);
    expect(await undoDream(place.options)).toMatchObject({
      restored: [],
      kept: ["project/app-0a1b2c3d/n2.md", "project/app-0a1b2c3d/n1.md"],
    });
    expect(filesOf(place.home)).toEqual(kept);
    expect(Object.keys(kept)).toEqual(Object.keys(before));
    await expect(undoDream(place.options)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a person's own file without frontmatter", () => {
  it("has its bytes, mode and age again when a dream that edited it is taken back", async () => {
    const place = await dreamPlace();
    fill(place, 5);
    place.put("human/own.md", "\ufeffa person's own\r\nfile\n", 0o640);
    const file = join(place.home, "human/own.md");
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const { dream, run } = await begun(place);
    success(
      await notesUpdate(dream.context, { address: "@human/own.md", edits: [{ old_text: "file", new_text: "page" }] }),
    );
    success(await dream.end({ run, report: "" }));
    await undoDream(place.options);
    expect(readFileSync(file, "utf8")).toBe("\ufeffa person's own\r\nfile\n");
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(file).mtimeMs).toBe(1_700_000_000_000);
  });
});

describe("a dream that goes too far (77)", () => {
  it.each<
    [string, (place: DreamPlace, context: Parameters<typeof notesUpdate>[0], address: string) => Promise<unknown>]
  >([
    ["crumples everything", (_place, context, address) => notesUpdate(context, { address, crumpled: true })],
    [
      "rewrites everything to one line",
      (_place, context, address) => notesWrite(context, { address, content: "summary" }),
    ],
    ["empties every body", (_place, context, address) => notesWrite(context, { address, content: "" })],
    [
      "moves everything away",
      (_place, context, address) =>
        notesUpdate(context, { address, rename_to: address.replace("@project/", "@human/") }),
    ],
  ])("and %s is stopped, and nothing of it is kept", async (_what, spoil) => {
    const place = await dreamPlace();
    fill(place, 10);
    const before = filesOf(place.home);
    const { dream, run } = await begun(place);
    const codes: string[] = [];
    for (let index = 0; index < 10; index++)
      codes.push(codeOf((await spoil(place, dream.context, `@project/n${index}.md`)) as never));
    expect(codes).toEqual(["ok", "ok", "ok", "ok", ...Array.from({ length: 6 }, () => "dream_aborted")]);
    expect(filesOf(place.home)).toEqual(before);
    expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
    const ended = await dream.end({ run, report: "all is well" });
    expect(ended.text).toContain(
      "error: dream_aborted: the dream was stopped, and nothing of it was kept: it went too far: 5 of 10 notes",
    );
    const [report = ""] = readdirSync(join(place.home, "dreams"));
    expect(readFileSync(join(place.home, "dreams", report), "utf8")).toContain("stopped");
    expect(lastChanges(place.home)).toEqual([]);
    expect((await dreamStatus(place.options)).lastStopped).toMatchObject({ run });
    await expect(undoDream(place.options)).rejects.toMatchObject({ code: "not_found" });
  });

  it("and spoils crumpled notes is stopped as well", async () => {
    const place = await dreamPlace();
    fill(place, 2);
    for (let index = 0; index < 5; index++)
      place.put(`human/s${index}.md`, noteText("spent\n", { crumpledAt: "2026-11-20T00:00:00.000Z" }));
    const { dream } = await begun(place);
    expect(codeOf(await notesWrite(dream.context, { address: "@human/s1.md", content: "" }))).toBe("dream_aborted");
    expect(body(place, "human/s1.md")).toBe("spent\n");
  });
});

describe("the end of a dream", () => {
  it("purges what was crumpled long ago and not read since, and undo gives it back", async () => {
    const place = await dreamPlace({ now: () => Date.parse("2026-12-01T00:00:00.000Z") });
    fill(place, 20);
    place.put("human/live.md", noteText("x"));
    for (const [name, lines] of Object.entries({
      old: { crumpledAt: "2026-10-01T00:00:00.000Z" },
      young: { crumpledAt: "2026-11-20T00:00:00.000Z" },
      read: { crumpledAt: "2026-10-01T00:00:00.000Z", lastAccessed: "2026-10-02T00:00:00.000Z", accessCount: 1 },
      again: { crumpledAt: "2026-10-01T00:00:00.000Z" },
      changed: { crumpledAt: "2026-10-01T00:00:00.000Z" },
    }))
      place.put(`human/${name}.md`, noteText(`${name}\n`, lines));
    place.put("agents/alone/only.md", noteText("x", { crumpledAt: "2026-10-01T00:00:00.000Z" }));
    const { dream, run } = await begun(place);
    await place.store.read("@human/again.md");
    await place.store.update("@human/changed.md", [], { crumpled: false });
    const before = filesOf(place.home);
    expect(success(await dream.end({ run, report: "" }))).toMatchObject({ purged: 1, changed: 0, crumpled: 0 });
    expect(lastChanges(place.home)).toEqual(["D\thuman/old.md"]);
    await undoDream(place.options);
    expect(filesOf(place.home)).toEqual(before);
  });

  it("takes a report of the run alone, and one that is text", async () => {
    const place = await dreamPlace();
    fill(place, 3);
    const { dream, run } = await begun(place);
    expect(codeOf(await dream.end({ run: "another", report: "" }))).toBe("invalid_text");
    expect(codeOf(await dream.end({ run, report: "\ud800" }))).toBe("invalid_text");
    expect(codeOf(await dream.end({ run, report: "x".repeat(300_000) }))).toBe("too_large");
    const { report_address: address } = success(await dream.end({ run, report: "merged a and b" }));
    expect(readFileSync(join(place.home, address), "utf8")).toContain("merged a and b");
  });
});

describe("dreams one after another", () => {
  it("may be held twice by hand, count no dream as a session, and remember the last one (79, 80)", async () => {
    let now = Date.parse("2026-12-01T00:00:00.000Z");
    const sessions: { name: string; lastActivity: number }[] = [];
    const place = await dreamPlace({ now: () => now, sessions: () => Promise.resolve(sessions) });
    fill(place, 6);
    for (const session of ["pi:dream-1", "pi:dream-2"]) {
      const dream = createDream({ ...place.options, session });
      now += 21 * HOUR;
      sessions.push({ name: session, lastActivity: now });
      const page = success(await dream.begin({ force: session === "pi:dream-2" }));
      expect(page.sessions, session).toBe(0);
      success(await dream.end({ run: page.run, report: "" }));
      now += 1000;
      // Its own last words come after its end.
      for (const each of sessions) each.lastActivity = now;
      const { lastDream, facts, lock } = await dreamStatus(place.options);
      expect(lastDream).toEqual({ run: page.run, time: now - 1000 });
      expect(facts).toMatchObject({ changedNotes: 0, sessions: 0, lastTime: now - 1000 });
      expect(lock).toBeUndefined();
    }
    now += 21 * HOUR;
    const third = await createDream(place.options).begin({});
    expect(third.text).toBe(
      "error: gate_closed: too little has changed since the last dream: 0 of 5 notes, 0 of 3 sessions",
    );
    sessions.push(...["a", "b", "c"].map((id) => ({ name: `claude:${id}`, lastActivity: now })));
    const dream = createDream(place.options);
    expect(success(await dream.begin({})).sessions).toBe(3);
    await dream.stop("the test is over");
  });

  it("five times over unchanged notes change nothing, also where every file was touched (81)", async () => {
    const place = await dreamPlace();
    fill(place, 6);
    place.put("human/own.md", "a person's own file\n");
    const before = filesOf(place.home);
    for (let round = 0; round < 5; round++) {
      for (const path of Object.keys(before)) utimesSync(join(place.home, path), round + 1, round + 1);
      const dream = createDream(place.options);
      const page = success(await dream.begin({ force: true }));
      expect(page.rows.filter(({ changed }) => changed)).toHaveLength(round === 0 ? 7 : 0);
      expect(page.rows.filter(({ updated_at: time }) => time === "2026-11-01T00:00:00.000Z")).toHaveLength(6);
      success(await dream.end({ run: page.run, report: "" }));
      expect(lastChanges(place.home)).toEqual([]);
    }
    expect(filesOf(place.home)).toEqual(before);
  });

  it("are closed to one that comes too soon, to a store that is not healthy, and open to force", async () => {
    let now = Date.parse("2026-12-01T00:00:00.000Z");
    const place = await dreamPlace({ now: () => now });
    fill(place, 6);
    const { dream, run } = await begun(place);
    success(await dream.end({ run, report: "" }));
    fill(place, 6, 5);
    now += 19 * HOUR;
    const before = filesOf(place.home);
    const soon = await createDream(place.options).begin({});
    expect(soon.text).toBe("error: gate_closed: the last dream was less than 20 hours ago; 1 hour is left");
    now += HOUR;
    place.put("agents", "a file");
    expect((await createDream(place.options).begin({})).text).toContain(
      "error: gate_closed: the store is not healthy: 1 finding",
    );
    rmSync(join(place.home, "agents"));
    expect(filesOf(place.home)).toEqual(before);
    expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
    const open = createDream(place.options);
    expect(codeOf(await open.begin({}))).toBe("ok");
    await open.stop("the test is over");
    // What was stopped is not begun again at once.
    expect(codeOf(await createDream(place.options).begin({}))).toBe("gate_closed");
  });

  it("hold each other off: a second one is refused, with force too, and the first goes on", async () => {
    const place = await dreamPlace();
    fill(place, 6);
    const { dream, run } = await begun(place);
    expect(codeOf(await createDream(place.options).begin({ force: true }))).toBe("dream_locked");
    await expect(undoDream(place.options)).rejects.toMatchObject({ code: "dream_locked" });
    success(await notesUpdate(dream.context, { address: "@project/n1.md", crumpled: true }));
    success(await dream.end({ run, report: "" }));
  });

  it("end where their lock was taken from them by hand: they change nothing more", async () => {
    const place = await dreamPlace();
    fill(place, 6);
    const first = await begun(place);
    rmSync(join(place.home, ".dream.lock"));
    const second = await begun(place);
    const before = filesOf(place.home);
    expect(codeOf(await notesUpdate(first.dream.context, { address: "@project/n1.md", crumpled: true }))).toBe(
      "dream_aborted",
    );
    expect(codeOf(await first.dream.end({ run: first.run, report: "" }))).toBe("dream_aborted");
    expect(filesOf(place.home)).toEqual(before);
    success(await second.dream.end({ run: second.run, report: "" }));
  });

  it("are joined by another process by the name of the run: what one has seen and done, the other knows", async () => {
    const place = await dreamPlace();
    fill(place, 10);
    const { dream, run } = await begun(place);
    const other = createDream({ ...place.options, run });
    success(await other.begin({}));
    for (const name of ["n1", "n2"])
      success(await notesUpdate(dream.context, { address: `@project/${name}.md`, crumpled: true }));
    for (const name of ["n3", "n4"])
      success(await notesUpdate(other.context, { address: `@project/${name}.md`, crumpled: true }));
    expect(success(await other.end({ run, report: "by the other" }))).toMatchObject({ crumpled: 4 });
    expect(dream.ended()).toMatchObject({ run, crumpled: 4 });
    expect(codeOf(await createDream({ ...place.options, run: "none" }).begin({}))).toBe("dream_aborted");
  });

  it("are logged, the last first, with their steps", async () => {
    const place = await dreamPlace();
    fill(place, 6);
    expect(await dreamLog(place.options, 10)).toEqual([]);
    const { dream, run } = await begun(place);
    success(await dream.end({ run, report: "" }));
    await undoDream(place.options);
    const log = await dreamLog(place.options, 10);
    expect(log.map(({ step }) => step)).toEqual(["undone", "after", "before"]);
    expect(new Set(log.map((entry) => entry.run))).toEqual(new Set([run]));
    expect(await dreamLog(place.options, 1)).toHaveLength(1);
  });
});

it("that died is what undo takes back, and the dream before it stays", async () => {
  const place = await dreamPlace();
  fill(place, 10);
  const first = await begun(place);
  success(await notesUpdate(first.dream.context, { address: "@project/n1.md", crumpled: true }));
  success(await first.dream.end({ run: first.run, report: "" }));
  const before = filesOf(place.home);
  const { dream, run } = await begun(place);
  success(await notesUpdate(dream.context, { address: "@project/n2.md", crumpled: true }));
  const lock = join(place.home, ".dream.lock");
  writeFileSync(lock, readFileSync(lock, "utf8").replace(/"started":"[^"]*"/u, '"started":"1"'));
  expect(await undoDream(place.options)).toEqual({ run, restored: ["project/app-0a1b2c3d/n2.md"], kept: [] });
  expect(filesOf(place.home)).toEqual(before);
  expect(codeOf(await notesUpdate(dream.context, { address: "@project/n3.md", crumpled: true }))).toBe("dream_aborted");
  expect((await undoDream(place.options)).run).toBe(first.run);
});

it("does not begin where there is no home yet, and makes none", async () => {
  const place = await dreamPlace();
  rmSync(place.home, { recursive: true });
  expect(codeOf(await createDream(place.options).begin({}))).toBe("gate_closed");
  expect(existsSync(place.home)).toBe(false);
});

describe("a dream that was cancelled", () => {
  it("lets the next one come at once, and one that was stopped by a rule does not", async () => {
    const place = await dreamPlace();
    fill(place, 6);
    for (const [mayRetry, code] of [
      [true, "ok"],
      [false, "gate_closed"],
    ] as const) {
      const { dream } = await begun(place);
      await dream.stop("it was cancelled", { mayRetry });
      const next = createDream(place.options);
      expect(codeOf(await next.begin({}))).toBe(code);
      await next.stop("the test is over", { mayRetry: true });
    }
  });
});

it("works in the project that the cwd of a call means, if that is in its scope", async () => {
  const place = await dreamPlace();
  fill(place, 6);
  const folder = join(place.home, "..", "other");
  mkdirSync(folder);
  const { dream } = await begun(place, "@projects/other-*/**");
  const written = success(await notesWrite(dream.context, { address: "@project/a.md", content: "x", cwd: folder }));
  expect(written).toMatchObject({ address: "@project/a.md", project_key: expect.stringMatching(/^other-/u) as string });
  const own = await notesWrite(dream.context, { address: "@project/a.md", content: "x" });
  expect(own.text).toContain(
    "error: out_of_scope: @project/a.md is not in the scope of this dream, @projects/other-*/**",
  );
  await dream.stop("the test is over");
});

it("moves no folder of a home that is reached by a link", async () => {
  const place = await dreamPlace();
  fill(place, 6);
  const real = `${place.home}-real`;
  renameSync(place.home, real);
  symlinkSync(real, place.home);
  mkdirSync(join(real, "human"), { recursive: true });
  writeFileSync(join(real, "human/a.md"), "x");
  const before = filesOf(real);
  const { dream, run } = await begun(place);
  success(await notesUpdate(dream.context, { address: "@project/n1.md", crumpled: true }));
  success(await dream.end({ run, report: "" }));
  await undoDream(place.options);
  expect(filesOf(real)).toEqual(before);
});
