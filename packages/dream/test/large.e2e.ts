import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DreamBeginResult } from "@notesoup/protocol";
import { temporaryFolder } from "@notesoup/testing";
import { notesRead, notesUpdate } from "@notesoup/tools";
import { describe, expect, it } from "vitest";
import { undoDream } from "../src/index.ts";
import { begun, codeOf, dreamPlace, filesOf, fill, lastChanges, success } from "./dream-fixture.ts";

describe("a large store", { timeout: 120_000 }, () => {
  it("of 5,000 notes is dreamt over, page by page, stopped where too much is done, and taken back", async () => {
    const place = await dreamPlace();
    fill(place, 5000);
    const before = filesOf(place.home);
    const { dream, run } = await begun(place);
    let after: string | null = null;
    let rows = 0;
    do {
      const page: DreamBeginResult = success(await dream.begin(after === null ? {} : { after }));
      rows += page.rows.length;
      after = page.next_after;
    } while (after !== null);
    expect(rows).toBe(5000);
    for (let index = 0; index < 300; index++) {
      const address = `@project/n${index}.md`;
      success(await notesRead(dream.context, { address }));
      success(await notesUpdate(dream.context, { address, crumpled: true }));
    }
    expect(success(await dream.end({ run, report: "" }))).toMatchObject({ changed: 0, crumpled: 300, left_open: 4700 });
    expect(lastChanges(place.home)).toHaveLength(300);
    expect((await undoDream(place.options)).restored).toHaveLength(300);
    expect(filesOf(place.home)).toEqual(before);
  });

  it("of 500 notes that are all crumpled is as it was, after the two hundred first ones", async () => {
    const place = await dreamPlace();
    fill(place, 500);
    const before = filesOf(place.home);
    const { dream } = await begun(place);
    let done = 0;
    while (codeOf(await notesUpdate(dream.context, { address: `@project/n${done}.md`, crumpled: true })) === "ok")
      done++;
    expect(done).toBe(200);
    expect(filesOf(place.home)).toEqual(before);
  });

  it("of 20,000 healthy notes is looked through by the doctor in a child that is ended after 10 seconds", async () => {
    const folder = await temporaryFolder();
    const program = [
      "--conditions=@notesoup/source",
      fileURLToPath(new URL("examine-many.ts", import.meta.url)),
      join(folder, "home"),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    expect(JSON.parse(stdout)).toEqual({ status: "clean", notes: 20_000, findings: [] });
  });
});
