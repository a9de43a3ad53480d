import { createNotesStore } from "@notesoup/notes";
import fc from "fast-check";
import { expect, it } from "vitest";
import { notebookSessionId } from "../src/index.ts";

it("keeps a session id that can name a directory", () => {
  expect(notebookSessionId("01a22d6f-de77-724a-acc3-e1b685adbdbc")).toBe("01a22d6f-de77-724a-acc3-e1b685adbdbc");
});

it.each(["nul", "a/b", "", "ends.", "x".repeat(200), "新聞"])("maps %j to a slug and 8 digits", (id) => {
  expect(notebookSessionId(id)).toMatch(/^[a-z0-9.-]+-[0-9a-f]{8}$/u);
});

it("gives every id a name that a store takes, and two ids two names", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
      for (const id of [one, other]) {
        expect(() =>
          createNotesStore({ home: "/h", sessionId: notebookSessionId(id), projectKey: "p", agent: "a", model: "m" }),
        ).not.toThrow();
      }
      if (one !== other) expect(notebookSessionId(one)).not.toBe(notebookSessionId(other));
    }),
  );
});
