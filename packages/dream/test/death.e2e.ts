import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import { createDream, dreamLog, dreamStatus, undoDream } from "../src/index.ts";
import { audit, codeOf, type DreamPlace, filesOf, fill, noteText, placeIn, success } from "./dream-fixture.ts";

const run = promisify(execFile);
const SOURCES = "--conditions=@notesoup/source";
const DYING = [SOURCES, fileURLToPath(new URL("dying-dream.ts", import.meta.url))];
const BEGINNING = [SOURCES, fileURLToPath(new URL("begin-dream.ts", import.meta.url))];

function storeIn(home: string): DreamPlace {
  const place = placeIn(home);
  fill(place, 12);
  place.put("human/live.md", noteText("x"));
  place.put("human/spent.md", noteText("spent\n", { crumpledAt: "2025-01-01T00:00:00.000Z" }));
  return place;
}

/** So many of the places at which a dream can die are tried, spread over all of it. */
const DEATHS = 16;

describe("a dream that is killed", { timeout: 600_000 }, () => {
  it("leaves at no step less than was there: the next one settles it, and undo gives everything back", async () => {
    const folder = await temporaryFolder();
    const untouched = storeIn(join(folder, "untouched"));
    const before = filesOf(untouched.home);
    cpSync(untouched.home, join(folder, "whole"), { recursive: true, preserveTimestamps: true });
    const { stdout } = await run(process.execPath, [...DYING, join(folder, "whole")]);
    const steps = Number(stdout);
    expect(steps).toBeGreaterThan(100);

    // Behind the last commit only the record and the lock are left to be done: it is complete.
    const late = steps - 4;
    const ends = new Map<number, string>();
    const spread = Array.from({ length: DEATHS }, (_, death) => 1 + Math.floor((death * (steps - 1)) / (DEATHS - 1)));
    for (const step of new Set([...spread, late])) {
      const home = join(folder, `step-${step}`);
      cpSync(untouched.home, home, { recursive: true, preserveTimestamps: true });
      const place = placeIn(home);
      const dying = spawn(process.execPath, [...DYING, home, String(step)], { stdio: "ignore" });
      expect(await once(dying, "close"), `step ${step}`).toEqual([null, "SIGKILL"]);
      ends.set(step, await settled(place, before, step));
    }
    // It died before it began, in the middle, and when all was done.
    expect(ends.get(late)).toBe("completed");
    expect(new Set(ends.values())).toEqual(new Set(["nothing", "taken back", "completed"]));
  });
});

/** Settles a dead dream as the next one does, and says what had become of it. */
async function settled(place: DreamPlace, before: Readonly<Record<string, string>>, step: number): Promise<string> {
  const what = `step ${step}`;
  await undoDream(place.options).catch((error: { code?: string }) => expect(error.code, what).toBe("not_found"));
  const steps = new Set((await dreamLog(place.options, 10)).map((commit) => commit.step));
  const report = readdirSync(place.home).includes("dreams")
    ? readdirSync(join(place.home, "dreams"))
        .map((name) => readFileSync(join(place.home, "dreams", name), "utf8"))
        .join("")
    : "";
  // Where it died between a change and its journal, nobody can tell whose the change is: it is named, and the audit has what was there.
  const after = filesOf(place.home);
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isTemporary(path) || before[path] === after[path]) continue;
    expect(report, `${what}: ${path}`).toContain(`- ${path}\n`);
    if (before[path] !== undefined) {
      const recorded = audit(place.home, "log", "--format=%H", "--grep=Dream-Step: before", "-1");
      expect(`${audit(place.home, "cat-file", "blob", `${recorded}:${path}`)}\n`, what).toBe(
        before[path]?.slice(before[path].indexOf(" ") + 1),
      );
    }
  }
  expect((await dreamStatus(place.options)).lock?.life ?? "dead", what).toBe("dead");
  const next = createDream(place.options);
  const page = success(await next.begin({ force: true }));
  success(await next.end({ run: page.run, report: "" }));
  expect(existsSync(join(place.home, ".dream.lock")), what).toBe(false);
  if (steps.has("undone")) return "completed";
  return steps.has("stopped") ? "taken back" : "nothing";
}

function isTemporary(path: string): boolean {
  return path.includes(".notesoup-") && path.split("/").some((name) => name.endsWith(".tmp"));
}

describe("two dreamers", { timeout: 300_000 }, () => {
  it("that recover a dead one's lock at once are never two (82)", async () => {
    const folder = await temporaryFolder();
    for (let round = 0; round < 4; round++) {
      const place = storeIn(join(folder, `home-${round}`));
      const dying = spawn(process.execPath, [...DYING, place.home, "60"], { stdio: "ignore" });
      await once(dying, "close");
      expect(existsSync(join(place.home, ".dream.lock"))).toBe(true);
      const dreamers = Array.from({ length: 3 }, () =>
        spawn(process.execPath, [...BEGINNING, place.home], { stdio: ["pipe", "pipe", "ignore"] }),
      );
      // Each lives until all have their answer: who has the lock holds it against the others.
      const began = await Promise.all(dreamers.map(async ({ stdout }) => String((await once(stdout, "data"))[0])));
      for (const { stdin } of dreamers) stdin.end();
      await Promise.all(dreamers.map((dreamer) => once(dreamer, "close")));
      expect(began.toSorted(), `round ${round}`).toEqual(["dream_locked", "dream_locked", "ok"]);
    }
  });

  it("in one process are one, and the other is refused", async () => {
    const place = storeIn(join(await temporaryFolder(), "home"));
    const dreams = Array.from({ length: 5 }, () => createDream(place.options));
    const codes = await Promise.all(dreams.map(async (dream) => codeOf(await dream.begin({ force: true }))));
    expect(codes.toSorted()).toEqual(["dream_locked", "dream_locked", "dream_locked", "dream_locked", "ok"]);
    await Promise.all(dreams.map((dream) => dream.stop("the test is over")));
    expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
  });
});
