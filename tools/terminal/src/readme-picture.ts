import { fileURLToPath } from "node:url";
import { record } from "./record.ts";
import { STORY } from "./story.ts";

/** The picture at the head of the README. */
export const README_PICTURE = fileURLToPath(new URL("../../../docs/terminal.svg", import.meta.url));

const TITLE =
  "A terminal: an agent in Pi is told to remember how notes are kept; a second session answers from the note; a person reads the note, corrects it, and finds the sentence in the history.";

/** Records it anew. */
export function recordReadmePicture(): Promise<string> {
  return record(TITLE, STORY);
}
