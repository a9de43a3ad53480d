import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NotesIdentity } from "@notesoup/notes";
import { OUTPUT_BUDGET_BYTES } from "@notesoup/protocol";
import { temporaryFolder } from "@notesoup/testing";
import fc from "fast-check";
import { type Answer, type Decorate, notesToolContext, type NotesToolContext } from "../src/index.ts";

/** A notes home of the running test's own, not yet there, and a session that works in `<folder>/base`. */
export interface NotesFixture {
  readonly folder: string;
  readonly identity: NotesIdentity;
  readonly context: NotesToolContext;
  readonly decorated: (decorate: Decorate) => NotesToolContext;
  /** Puts a file into the home, as another program would. */
  readonly given: (path: readonly string[], content: string | Uint8Array) => void;
}

export async function notesFixture(): Promise<NotesFixture> {
  const folder = await temporaryFolder();
  const base = join(folder, "base");
  mkdirSync(join(base, "inner"), { recursive: true });
  const identity = {
    home: join(folder, "notes"),
    sessionId: "session-1",
    projectKey: "app-0a1b2c3d",
    agent: "pi",
    model: "some-model",
  };
  return {
    folder,
    identity,
    context: notesToolContext(identity, base),
    decorated: (decorate) => notesToolContext(identity, base, { decorate }),
    given: (path, content) => {
      const file = join(identity.home, ...path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, content);
    },
  };
}

export const bytes = (text: string): number => Buffer.byteLength(text, "utf8");

export function success<Success>({ outcome }: Answer<Success>): Success {
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.data;
}

export const code = <Success>({ outcome }: Answer<Success>): string => (outcome.ok ? "ok" : outcome.error.code);

/** Whether both forms of a result are within the budget: the rule itself, to hold the operations against. */
export function fits<Success>(data: Success, render: (data: Success) => string, decorate: Decorate): boolean {
  return bytes(JSON.stringify(data)) <= OUTPUT_BUDGET_BYTES && bytes(decorate(render(data))) <= OUTPUT_BUDGET_BYTES;
}

/** What hosts may do to a text. */
export const decorators: fc.Arbitrary<Decorate> = fc.constantFrom<Decorate[]>(
  (text) => text,
  (text) => text + text,
  (text) => `[notes]\n${text}`,
);
