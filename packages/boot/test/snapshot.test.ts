import { NoteError } from "@notesoup/notes";
import { beforeEach, describe, expect, it } from "vitest";
import type { BootSession, NotebookContent } from "../src/index.ts";
import { takeBootSnapshot } from "../src/index.ts";
import { type BootFixture, bootFixture, CAPTURED_AT, PROJECT, SESSION, timeAt } from "./boot-fixture.ts";

let fixture: BootFixture;
beforeEach(async () => {
  fixture = await bootFixture();
});

const EMPTY: NotebookContent = { status: "ready", map: null, notes: [], unavailable: [] };

describe("a snapshot", () => {
  it("has the five notebooks, the identity without the home, and the time that it was given", async () => {
    fixture.given(`${SESSION}/todo.md`, "text", 1);
    expect(await fixture.snapshot()).toEqual({
      capturedAt: CAPTURED_AT,
      identity: { sessionId: "session-1", projectKey: "app-0a1b2c3d", agent: "pi", model: "some-model" },
      session: null,
      notebooks: {
        session: { ...EMPTY, notes: [{ address: "todo.md", bytes: 4, updatedAt: timeAt(1) }] },
        project: EMPTY,
        human: EMPTY,
        agent: EMPTY,
        model: EMPTY,
      },
    });
  });

  it("names a notebook that cannot be read, and the others stand", async () => {
    fixture.file("human", "a file");
    fixture.given(`${PROJECT}/a.md`, "a");
    const { notebooks } = await fixture.snapshot();
    expect(notebooks.human).toEqual({ status: "unreadable", code: "io" });
    expect(notebooks.project).toMatchObject({ notes: [{ address: "@project/a.md" }] });
  });

  it("names all of them where the home is a file", async () => {
    fixture.file("../notes", "a file");
    const { notebooks } = await fixture.snapshot();
    expect(Object.values(notebooks)).toEqual(Array.from({ length: 5 }, () => ({ status: "unreadable", code: "io" })));
  });

  it("asks another loader once for each, and codes what it throws", async () => {
    const asked: string[] = [];
    const { notebooks } = await fixture.snapshot({
      loadNotebook: (notebook) => {
        asked.push(notebook);
        if (notebook === "human") throw new Error("a fault of the host");
        if (notebook === "model") return Promise.reject(new NoteError("locked", "held"));
        return Promise.resolve(EMPTY);
      },
    });
    expect(asked).toEqual(["session", "project", "human", "agent", "model"]);
    expect(notebooks).toEqual({
      session: EMPTY,
      project: EMPTY,
      human: { status: "unreadable", code: "failed" },
      agent: EMPTY,
      model: { status: "unreadable", code: "locked" },
    });
  });

  it("puts the last updated first, then by address, in whatever order a loader gives", async () => {
    const note = (address: string, minute: number) => ({ address, bytes: 1, updatedAt: timeAt(minute) });
    const notes = [note("b.md", 1), note("c.md", 2), note("a.md", 1)];
    const { notebooks } = await fixture.snapshot({ loadNotebook: () => Promise.resolve({ ...EMPTY, notes }) });
    expect(notebooks.session).toMatchObject({
      notes: [{ address: "c.md" }, { address: "a.md" }, { address: "b.md" }],
    });
  });

  it("is a copy: what was given can change, and the snapshot cannot", async () => {
    const windows = [{ firstSeq: 0, lastSeq: 4, startedAt: null, events: 3 }];
    const session: BootSession = { windowId: "w-2", windows };
    const identity = { ...fixture.identity };
    const taking = takeBootSnapshot({ identity, capturedAt: CAPTURED_AT, session });
    identity.model = "another";
    windows.pop();
    const snapshot = await taking;
    expect(snapshot.identity.model).toBe("some-model");
    expect(snapshot.session?.windows).toHaveLength(1);
    expect(structuredClone(snapshot)).toEqual(JSON.parse(JSON.stringify(snapshot)));
    expect([snapshot, snapshot.notebooks.session, snapshot.session?.windows[0]].every(Object.isFrozen)).toBe(true);
  });

  it("refuses an identity that names no notebooks, whoever loads, and a time that is none", async () => {
    const identity = { ...fixture.identity, agent: "Not A Slug" };
    const loadNotebook = (): Promise<NotebookContent> => Promise.resolve(EMPTY);
    await expect(fixture.snapshot({ identity })).rejects.toMatchObject({ code: "invalid_identity" });
    await expect(fixture.snapshot({ identity, loadNotebook })).rejects.toMatchObject({ code: "invalid_identity" });
    await expect(fixture.snapshot({ capturedAt: Number.NaN })).rejects.toThrow(RangeError);
  });
});
