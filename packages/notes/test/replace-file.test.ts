import { chmodSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type RecordedStep, recordSteps } from "./recorded-steps.ts";
import { PROJECT, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;
beforeEach(async () => {
  fixture = await storeFixture();
});

async function stepsOf(work: () => Promise<unknown>): Promise<readonly RecordedStep[]> {
  const { steps, stop } = recordSteps();
  try {
    await work();
  } finally {
    stop();
  }
  return steps;
}

describe("a note's file", () => {
  it.each<[string, (fixture: StoreFixture) => Promise<unknown>]>([
    ["a write", ({ store }) => store.write("@project/a", "new")],
    ["an update", ({ store }) => store.update("@project/a", [{ oldText: "old", newText: "new" }])],
    ["a crumpling", ({ store }) => store.update("@project/a", [], { crumpled: true })],
  ])(
    "is replaced at %s by a new file beside it, which is flushed first, and its folder afterwards",
    async (_what, change) => {
      const note = fixture.given(`${PROJECT}/a.md`, "---\norigin: self\n---\nold");
      chmodSync(note, 0o640);
      const steps = await stepsOf(() => change(fixture));
      const [created] = steps;
      const path = created?.step === "create" ? created.path : "";
      expect(steps).toEqual([
        { step: "create", path, flags: "wx", mode: 0o640 },
        { step: "flush", inode: statSync(note).ino, isFolder: false },
        { step: "rename", from: path, to: note },
        { step: "flush", inode: statSync(dirname(note)).ino, isFolder: true },
      ]);
      expect(dirname(path)).toBe(dirname(note));
      expect(path).not.toMatch(/\.md$/u);
    },
  );

  it("that is new is one that only its owner may read from the beginning, and every folder that was made for it is flushed with the one above", async () => {
    const note = join(fixture.home, "human", "deep", "a.md");
    const steps = await stepsOf(() => fixture.store.write("@human/deep/a", "x"));
    expect(steps.filter(({ step }) => step === "create")).toContainEqual(
      expect.objectContaining({ flags: "wx", mode: 0o600 }),
    );
    const flushed = steps.flatMap((step) => (step.step === "flush" && step.isFolder ? [step.inode] : []));
    const folders = [dirname(note), join(fixture.home, "human"), fixture.home, dirname(fixture.home)];
    expect(flushed).toEqual(expect.arrayContaining(folders.map((folder) => statSync(folder).ino)));
  });

  it("is replaced in the same way to count an access, without a flush", async () => {
    const note = fixture.given(`${PROJECT}/a.md`, "---\norigin: self\n---\nold");
    chmodSync(note, 0o640);
    const steps = await stepsOf(() => fixture.store.read("@project/a"));
    const [created] = steps;
    const path = created?.step === "create" ? created.path : "";
    expect(steps).toEqual([
      { step: "create", path, flags: "wx", mode: 0o640 },
      { step: "rename", from: path, to: note },
    ]);
    expect(dirname(path)).toBe(dirname(note));
    expect(fixture.text(`${PROJECT}/a.md`)).toContain("accessCount: 1\n");
  });

  it("that is moved is flushed at its destination before it is taken away from where it was", async () => {
    const note = fixture.given("human/a.md", "---\norigin: self\n---\nold");
    chmodSync(note, 0o640);
    fixture.given("human/deep/other.md", "x");
    const destination = join(fixture.home, "human", "deep", "b.md");
    const steps = await stepsOf(() => fixture.store.rename("@human/a", "@human/deep/b"));
    const [created] = steps;
    const path = created?.step === "create" ? created.path : "";
    expect(steps).toEqual([
      { step: "create", path, flags: "wx", mode: 0o640 },
      { step: "flush", inode: statSync(destination).ino, isFolder: false },
      { step: "rename", from: path, to: destination },
      { step: "flush", inode: statSync(dirname(destination)).ino, isFolder: true },
      { step: "flush", inode: statSync(dirname(note)).ino, isFolder: true },
    ]);
  });
});
