import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { notesRead, notesUpdate, notesWrite } from "@notesoup/tools";
import { describe, expect, it } from "vitest";
import { undoDream } from "../src/index.ts";
import { audit, begun, codeOf, dreamPlace, filesOf, fill, lastChanges, success } from "./dream-fixture.ts";

describe("a dream", () => {
  it("ends with a report whose counts are git's, and is taken back to every byte and mode", async () => {
    const place = await dreamPlace();
    fill(place, 10);
    const before = filesOf(place.home);
    const { dream, run } = await begun(place);
    const { context } = dream;
    success(await notesRead(context, { address: "@project/n1.md" }));
    success(
      await notesUpdate(context, {
        address: "@project/n1.md",
        edits: [{ old_text: "note 1 line 0", new_text: "the first line" }],
      }),
    );
    success(await notesUpdate(context, { address: "@project/n2.md", crumpled: true }));
    success(await notesUpdate(context, { address: "@project/n3.md", rename_to: "@human/n3.md" }));
    success(await notesWrite(context, { address: "@project/MAP.md", content: "- n1.md\n" }));
    const result = success(await dream.end({ run, report: "done" }));
    expect(result).toMatchObject({ changed: 4, crumpled: 1, purged: 0, left_open: 7 });
    expect(lastChanges(place.home)).toHaveLength(result.changed + result.crumpled + result.purged);
    expect(existsSync(join(place.home, ".dream.lock"))).toBe(false);
    expect(readFileSync(join(place.home, result.report_address), "utf8")).toContain(
      "4 changed · 1 crumpled · 0 purged · 7 left open",
    );
    expect(audit(place.home, "log", "--format=%s").split("\n")).toEqual([
      "Dream: 4 changed, 1 crumpled, 0 purged",
      "Before a dream",
    ]);

    const { restored, kept } = await undoDream(place.options);
    expect(kept).toEqual([]);
    expect(restored).toHaveLength(5);
    expect(filesOf(place.home)).toEqual(before);
    expect(codeOf(await dream.end({ run, report: "again" }))).toBe("dream_aborted");
  });
});
