import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createNotesStore } from "@notesoup/notes";
import { fitWindow } from "@notesoup/text";
import matter from "gray-matter";

import writeFileAtomic from "write-file-atomic";
import type { Comparison } from "./compare.ts";

const BODY = `${"The quick brown fox jumps over the lazy dog, and 日本語 too. ".repeat(64)}\n`;

/** Comparisons of what the store does, on files in a folder of their own. */
export function notesComparisons(folder: string): Comparison[] {
  const home = join(folder, "notes");
  const store = createNotesStore({
    home,
    sessionId: "bench",
    projectKey: "bench-00000000",
    agent: "bench",
    model: "bench",
  });
  const theirs = join(folder, "theirs");
  mkdirSync(theirs, { recursive: true });
  let written = 0;
  return [
    {
      name: "write a note of 4 KiB, flushed",
      rival: "write-file-atomic, the frontmatter ready made",
      ours: async () => void (await store.write(`@project/n${written++ % 100}`, BODY)),
      theirs: () =>
        writeFileAtomic(
          join(theirs, `n${written++ % 100}.md`),
          `---\norigin: self\ncreatedAt: 2026-11-30T09:00:00.000Z\n---\n${BODY}`,
        ),
    },
    readComparison(home, store),
    windowComparison(),
  ];
}

/** Read by an address that counts no access, so that both only read. */
function readComparison(home: string, store: ReturnType<typeof createNotesStore>): Comparison {
  const folder = join(home, "project", "other-00000000");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "read.md");
  writeFileSync(
    file,
    `---\norigin: self\ncreatedAt: 2026-11-30T09:00:00.000Z\nupdatedAt: 2026-11-30T09:05:12.004Z\naccessCount: 3\ntitle: A typical note\n---\n${BODY}`,
  );
  let same = 0;
  return {
    name: "read a note of 4 KiB: address, links, lock, frontmatter",
    rival: "readFile and gray-matter",
    ours: async () => void (await store.read("@projects/other-00000000/read")),
    // gray-matter answers the same text from a cache: each call gets a text of its own.
    theirs: async () => void matter(`${await readFile(file, "utf8")}${same++}`),
  };
}

function windowComparison(): Comparison {
  const text = "日本語 text 😀 ".repeat(70_000);
  return {
    name: "a window of 10,000 characters in the middle of 1 MB",
    rival: "Array.from, slice and join",
    ours: () =>
      void fitWindow(text, { offsetChars: 400_000, limitChars: 10_000 }, { maxBytes: 32_768, fits: () => true }),
    theirs: () => void Array.from(text).slice(400_000, 410_000).join(""),
  };
}
