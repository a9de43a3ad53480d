import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { notesRead, notesUpdate, notesWrite } from "@notesoup/tools";
import fc from "fast-check";
import { expect, it } from "vitest";
import { undoDream } from "../src/index.ts";
import { audit, begun, dreamPlace, type DreamPlace, filesOf, noteText } from "./dream-fixture.ts";

const ADDRESSES = [
  "a.md",
  "@project/MAP.md",
  "@project/b.md",
  "@project/link.md",
  "@project/new/c.md",
  "@human/own.md",
  "@human/spent.md",
  "@self/d.md",
  "@agents/other/e.md",
  "@projects/other-1/f.md",
  "@sessions/s-1/g.md",
];
const address = fc.constantFrom(...ADDRESSES);
const text = fc.constantFrom("", "one\n", "two words\r\n", "---\norigin: user\n---\nbody", "line 1\nline 2\n");

/** Something that a dreamer, or a person beside him, does. */
type Act =
  | { readonly kind: "read" | "crumple" | "uncrumple" | "person reads"; readonly at: string }
  | { readonly kind: "write" | "edit" | "person writes"; readonly at: string; readonly text: string }
  | { readonly kind: "move"; readonly at: string; readonly to: string };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom("read", "crumple", "uncrumple", "person reads"), at: address }),
  fc.record({ kind: fc.constantFrom("write", "edit", "person writes"), at: address, text }),
  fc.record({ kind: fc.constant("move" as const), at: address, to: address }),
);

async function store(): Promise<DreamPlace> {
  const place = await dreamPlace({ now: () => Date.parse("2026-12-01T00:00:00.000Z") });
  const body = "line 1\nline 2\nline 3\n";
  place.put("pi/session/dreamer/a.md", noteText(body, { project: "p-1" }), 0o600);
  place.put("project/app-0a1b2c3d/MAP.md", noteText("- b.md\n"));
  place.put(
    "project/app-0a1b2c3d/b.md",
    noteText(body, { accessCount: 3, lastAccessed: "2026-11-20T00:00:00.000Z" }),
    0o640,
  );
  place.put("human/own.md", "\ufeffa person's own\r\nline 1\r\n", 0o644);
  place.put("human/spent.md", noteText("spent\n", { crumpledAt: "2026-10-01T00:00:00.000Z" }));
  place.put("human/live.md", noteText(body));
  place.put("agents/soup/d.md", noteText(body));
  place.put("agents/other/e.md", noteText(body));
  place.put("project/other-1/f.md", noteText(body));
  place.put("pi/session/s-1/g.md", noteText(body));
  for (let index = 0; index < 10; index++) place.put(`models/other/n${index}.md`, noteText(body));
  symlinkSync("b.md", join(place.home, "project/app-0a1b2c3d/link.md"));
  return place;
}

it("whatever a dreamer does, and a person beside him: taken back, every byte and mode of the person's is there", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), fc.constantFrom("end", "stop"), async (acts, end) => {
      const place = await store();
      const { dream, run } = await begun(place);
      // What is there without the dream: what was there, and what the person wrote last.
      const persons = new Map(Object.entries(filesOf(place.home)));
      for (const each of acts) await perform(place, dream.context, each, persons);
      if (end === "end") await dream.end({ run, report: "done" });
      else await dream.stop("it was cancelled");
      await undoDream(place.options).catch((error: { code: string }) => expect(error.code).toBe("not_found"));
      const now = Object.entries(filesOf(place.home)).map(([path, file]) => [path, withoutAccess(file)]);
      expect(Object.fromEntries(now)).toEqual(
        Object.fromEntries([...persons].map(([path, file]) => [path, withoutAccess(file)])),
      );
      expect(audit(place.home, "fsck", "--strict")).toBe("");
    }),
    { numRuns: 25 },
  );
}, 300_000);

async function perform(
  place: DreamPlace,
  context: Parameters<typeof notesRead>[0],
  each: Act,
  persons: Map<string, string>,
): Promise<void> {
  switch (each.kind) {
    case "read":
      await notesRead(context, { address: each.at });
      return;
    case "crumple":
    case "uncrumple":
      await notesUpdate(context, { address: each.at, crumpled: each.kind === "crumple" });
      return;
    case "write":
      await notesWrite(context, { address: each.at, content: each.text });
      return;
    case "edit":
      await notesUpdate(context, { address: each.at, edits: [{ old_text: "line 1", new_text: each.text }] });
      return;
    case "move":
      await notesUpdate(context, { address: each.at, rename_to: each.to });
      return;
    case "person reads":
      await place.store.read(each.at);
      return;
    case "person writes": {
      const before = filesOf(place.home);
      try {
        await place.store.write(each.at, each.text);
      } catch {
        // Of another notebook: a person cannot write it through this store.
        return;
      }
      const after = filesOf(place.home);
      for (const path of Object.keys(after)) if (after[path] !== before[path]) persons.set(path, after[path] ?? "");
    }
  }
}

/** To have read a note is not to have changed it. */
function withoutAccess(file: string): string {
  return file.replaceAll(/^(?:lastAccessed|accessCount): .*\n/gmu, "");
}
