import { beforeEach, describe, expect, it } from "vitest";
import { createNotesStore } from "../src/index.ts";
import { identityIn } from "./identities.ts";
import { BLOCK, type NoteFixture, noteFixture, OLD } from "./note-fixture.ts";
import { PROJECT } from "./store-fixture.ts";

let fixture: NoteFixture;

beforeEach(async () => {
  fixture = await noteFixture();
});

describe("updates at once", () => {
  it("of one note through eight stores and both spellings of its address all survive", async () => {
    fixture.noteFile(`${PROJECT}/a.md`, "start\n");
    const updates = Array.from({ length: 20 }, (_, index) =>
      createNotesStore(identityIn(fixture.home)).update(index % 2 === 0 ? "@project/a" : "@project/a.md", [
        { oldText: "start\n", newText: `start\nline ${index}\n` },
      ]),
    );
    await Promise.all(updates);
    const lines = fixture
      .text(`${PROJECT}/a.md`)
      .split("\n")
      .filter((line) => line.startsWith("line "));
    expect(lines.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `line ${index}`).toSorted());
  });

  it("move two notes past each other without waiting for ever", async () => {
    fixture.noteFile("human/a.md", "a");
    fixture.noteFile("human/b.md", "b");
    const moves = Array.from({ length: 10 }, (_, index) =>
      fixture.store.rename(index % 2 === 0 ? "@human/a" : "@human/b", index % 2 === 0 ? "@human/b" : "@human/a"),
    );
    const outcomes = await Promise.allSettled(moves);
    expect(outcomes.every((outcome) => outcome.status === "rejected")).toBe(true);
    expect([fixture.text("human/a.md").at(-1), fixture.text("human/b.md").at(-1)]).toEqual(["a", "b"]);
  });

  it("are seen by a list and a search that were asked for after them", async () => {
    fixture.noteFile(`${PROJECT}/a.md`);
    const update = fixture.store.update("@project/a", [{ oldText: "old", newText: "fresh" }]);
    const [rows, found] = await Promise.all([fixture.store.list(), fixture.store.search(["fresh"])]);
    expect(rows.map(({ body }) => body)).toEqual(["fresh text"]);
    expect(found).toHaveLength(1);
    await update;
  });

  it("that crumple a note, or bring one back, decide which list it is in", async () => {
    fixture.noteFile("human/a.md");
    fixture.noteFile("human/b.md", "spent", `${BLOCK}crumpledAt: ${OLD}\n`);
    const updates = [
      fixture.store.update("@human/a", [], { crumpled: true }),
      fixture.store.update("@human/b", [], { crumpled: false }),
    ];
    const lists = await Promise.all([
      fixture.store.list(),
      fixture.store.list({ crumpled: true }),
      fixture.store.search(["old"], { crumpled: true }),
    ]);
    expect(lists.map((rows) => rows.map(({ address }) => address))).toEqual([
      ["@human/b.md"],
      ["@human/a.md"],
      ["@human/a.md"],
    ]);
    await Promise.all(updates);
  });
});
