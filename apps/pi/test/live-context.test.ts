import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { createNotesStore } from "@notesoup/notes";
import fc from "fast-check";
import { expect, it } from "vitest";
import { liveContext } from "../src/notes/live-context.ts";

it("is an identity that notes can be kept under, whatever Pi calls its session, folder and model, and a person the agent", () => {
  const anyName = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(
    fc.property(
      anyName,
      anyName,
      fc.option(anyName, { nil: undefined }),
      fc.anything(),
      (session, folder, id, agent) => {
        const pi = { getSettings: () => ({ notesoup: { agent } }) } as unknown as ExtensionAPI;
        const ctx = {
          cwd: `/${folder}`,
          sessionManager: { getSessionId: () => session },
          model: id === undefined ? undefined : { id },
        } as unknown as ExtensionContext;
        expect(() => createNotesStore(liveContext(pi, ctx).identity)).not.toThrow();
      },
    ),
  );
});
