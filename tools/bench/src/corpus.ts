import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NotesIdentity } from "@notesoup/notes";

/** Whose notes the corpus holds. */
export function identityIn(home: string): NotesIdentity {
  return { home, sessionId: "bench", projectKey: "bench-00000000", agent: "bench", model: "bench" };
}

/** A word that a few notes hold. */
export const RARE_WORD = "quetzalcoatlus";

const NOTEBOOKS = [
  "pi/session/bench",
  "pi/session/other",
  "project/bench-00000000",
  "project/other-00000000",
  "human",
  "agents/bench",
  "agents/other",
  "models/bench",
];

const TIME = "2026-11-30T09:00:00.000Z";

/** Frontmatter as the store writes it, with two entries of a person's own. */
export const TYPICAL_BLOCK = `origin: self\ncreatedAt: ${TIME}\nupdatedAt: ${TIME}\nlastAccessed: ${TIME}\naccessCount: 12\ntitle: A typical note\nstatus: open\n`;

/** A body of about 4 KiB, of words and a few letters beyond ASCII. */
export const BODY =
  `${"The quick brown fox jumps over the lazy dog, and naïve 日本語 readers follow. ".repeat(50)}\n`.replaceAll(
    "dog, and",
    "dog,\nand",
  );

/** Writes notes of about 4 KiB in eight notebooks; every thousandth holds the rare word. */
export function makeCorpus(home: string, notes: number): void {
  for (const notebook of NOTEBOOKS) mkdirSync(join(home, notebook, "topic"), { recursive: true });
  for (let index = 0; index < notes; index++) {
    const notebook = NOTEBOOKS[index % NOTEBOOKS.length] ?? "human";
    const rare = index % 1000 === 500 ? `\nthe ${RARE_WORD} is here\n` : "";
    writeFileSync(join(home, notebook, "topic", `note-${index}.md`), `---\n${TYPICAL_BLOCK}---\n${BODY}${rare}`);
  }
}
