import { statSync } from "node:fs";
import { join } from "node:path";
import { type StoreFixture, storeFixture } from "./store-fixture.ts";

/** How a time is written in a note. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

/** When a note of the fixture was made and last updated. */
export const OLD = "2020-01-01T00:00:00.000Z";

/** The lines of its frontmatter. */
export const BLOCK = `origin: self\ncreatedAt: ${OLD}\nupdatedAt: ${OLD}\n`;

/** A store on a home in which old notes can be put. */
export interface NoteFixture extends StoreFixture {
  /** Puts an old note, by its path in the home, and gives the path of its file. */
  noteFile(path: string, body?: string, block?: string): string;
  /** A file's text and which file it is, by its path in the home: it changes with every write, even of the same text. */
  bytesOf(path: string): string;
}

/** Makes a fixture of the running test's own. */
export async function noteFixture(): Promise<NoteFixture> {
  const fixture = await storeFixture();
  return {
    ...fixture,
    noteFile: (path, body = "old text", block = BLOCK) => fixture.given(path, `---\n${block}---\n${body}`),
    bytesOf: (path) => `${statSync(join(fixture.home, path)).ino} ${fixture.text(path)}`,
  };
}
