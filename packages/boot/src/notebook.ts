import type { Scope, UnavailableNote } from "@notesoup/notes";

/** A note as a boot lists it: without its body. */
export interface BootNote {
  /** The canonical address. */
  readonly address: string;
  /** Bytes of UTF-8 of the body. */
  readonly bytes: number;
  /** ISO 8601 in UTC with milliseconds. */
  readonly updatedAt: string;
}

/** The note `MAP.md` at the top of a notebook: the one of which a boot shows the body. */
export interface BootMap extends BootNote {
  readonly body: string;
}

/** A notebook that was read. One without any note is ready too. */
export interface ReadyNotebook {
  readonly status: "ready";
  readonly map: BootMap | null;
  /** All other notes that are not crumpled; in a snapshot the last updated first, then by address. */
  readonly notes: readonly BootNote[];
  /** Notes that are there and could not be read. */
  readonly unavailable: readonly UnavailableNote[];
}

/** A notebook that exists, and could not be read. */
export interface UnreadableNotebook {
  readonly status: "unreadable";
  /** Why: the code of a `NoteError`, or `failed` where something else was thrown. */
  readonly code: string;
}

/** What a boot knows of a notebook. */
export type NotebookContent = ReadyNotebook | UnreadableNotebook;

/**
 * Reads one of the identity's five notebooks, named by its scope. Whatever it throws makes that
 * notebook unreadable, and no other.
 */
export type NotebookLoader = (notebook: Scope) => Promise<NotebookContent>;

/** How a notebook is spoken of. */
export interface NotebookForm {
  readonly scope: Scope;
  /** What its addresses begin with. */
  readonly prefix: string;
  /** Selects its notes, all of them and no others. */
  readonly glob: string;
  readonly heading: string;
}

/** The five notebooks in the order in which a boot shows them. */
export const NOTEBOOKS: readonly NotebookForm[] = [
  { scope: "session", prefix: "", glob: "{*,*/**}", heading: "Session notes (todo.md)" },
  { scope: "project", prefix: "@project/", glob: "@project/**", heading: "Project notes (@project/)" },
  { scope: "human", prefix: "@human/", glob: "@human/**", heading: "Human notes (@human/)" },
  { scope: "agent", prefix: "@self/", glob: "@self/**", heading: "Agent notes (@self/)" },
  { scope: "model", prefix: "@model/", glob: "@model/**", heading: "Model notes (@model/)" },
];

/** The form of a notebook. */
export function notebookForm(notebook: Scope): NotebookForm {
  return NOTEBOOKS.find(({ scope }) => scope === notebook) as NotebookForm;
}

/** The name of the note of which a boot shows the body, in its notebook. */
export const MAP_NAME = "MAP.md";
