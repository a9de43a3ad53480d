import { createNotesStore, type NotesStore } from "@notesoup/notes";
import { temporaryFolder } from "@notesoup/testing";
import { expect, it } from "vitest";
import { notesList, notesRead, notesSearch, notesToolContext, notesUpdate, notesWrite, Refused } from "../src/index.ts";

it("works in a dream in the dream's own store, for the identity of the call, and refuses as that does", async () => {
  const home = await temporaryFolder();
  const identity = { home, sessionId: "s1", projectKey: "app-0a1b2c3d", agent: "soup", model: "some-model" };
  const opened: string[] = [];
  const refused = (): never => {
    throw new Refused("out_of_scope", "it is not in the scope of this dream");
  };
  const context = notesToolContext(identity, home, {
    dream: {
      openStore(caller): NotesStore {
        opened.push(caller.projectKey);
        return { ...createNotesStore(caller), write: refused, update: refused, read: refused };
      },
    },
  });
  const refusal = "error: out_of_scope: it is not in the scope of this dream";
  expect((await notesWrite(context, { address: "a", content: "x" })).text).toBe(refusal);
  expect((await notesUpdate(context, { address: "a", crumpled: true })).text).toBe(refusal);
  expect((await notesRead(context, { address: "a" })).text).toBe(refusal);
  expect((await notesList(context, {})).text).toBe("no notes found");
  expect((await notesSearch(context, { query: "x", cwd: "." })).text).toBe("no notes found");
  expect(opened.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => "app-0a1b2c3d"));
  expect(opened[4]).toMatch(/^notesoup-test-/u);
});
