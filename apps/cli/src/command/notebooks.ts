import { createNotesStore, type NoteRow, type NotesIdentity } from "@notesoup/notes";
import { isNobodys } from "./notes/identity.ts";

/** A notebook, and how much is in it. */
export interface NotebookSize {
  /** Such as `@project`, `@agents/pi` or `@sessions/<id>`. */
  readonly notebook: string;
  readonly notes: number;
  readonly crumpled: number;
  /** Of the bodies of all its notes. */
  readonly bytes: number;
}

/** What lies in a home. */
export interface Notebooks {
  readonly notebooks: readonly NotebookSize[];
  /** How many notebooks and notes could not be read. */
  readonly unavailable: number;
}

/** Counts the notes of every notebook of a home. */
export async function notebooksOf(identity: NotesIdentity): Promise<Notebooks> {
  const store = createNotesStore(identity);
  let unavailable = 0;
  const rowsWith = (crumpled: boolean): Promise<NoteRow[]> =>
    store.list({
      glob: "**",
      crumpled,
      onStatus: ({ namespacesUnavailable, notesUnavailable }) => {
        // Both lists meet the same ones. Where the whole home is closed, so is what would be nobody's.
        unavailable = namespacesUnavailable.filter((name) => !isNobodys(name)).length + notesUnavailable.length;
      },
    });
  const rows = [...(await rowsWith(false)), ...(await rowsWith(true))];
  const byName = Map.groupBy(rows, notebookOf);
  const notebooks = [...byName].map(([notebook, notes]) => ({
    notebook,
    notes: notes.filter(({ meta }) => meta.crumpledAt === undefined).length,
    crumpled: notes.filter(({ meta }) => meta.crumpledAt !== undefined).length,
    bytes: notes.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
  return { notebooks: notebooks.toSorted((a, b) => (a.notebook < b.notebook ? -1 : 1)), unavailable };
}

/** `@agents/pi/a.md` is of `@agents/pi`, `@project/a.md` of `@project`; without an `@` it is of the session at hand. */
function notebookOf({ address }: NoteRow): string {
  const [sigil = "", name = ""] = address.split("/");
  if (!sigil.startsWith("@")) return "session";
  return sigil.endsWith("s") ? `${sigil}/${name}` : sigil;
}
