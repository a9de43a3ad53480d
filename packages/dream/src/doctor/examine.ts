import { createHash } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import type { NotesIdentity } from "@notesoup/notes";
import { surveyNotes, type SurveyedNote } from "@notesoup/notes/maintenance";
import { oneLine } from "@notesoup/text";
import { dreamHome } from "../home.ts";
import { isSystemError } from "../system-error.ts";
import { type DoctorFinding, finding, type FindingCode } from "./finding.ts";
import { blockFault } from "./frontmatter-fault.ts";
import { halfRenamed, type RenameTraits } from "./half-renamed.ts";
import { examineLayout } from "./layout.ts";
import { deadMapLines } from "./map-lines.ts";

/** What the doctor saw. Plain data: its JSON is what `--json` prints. */
export interface Examination {
  /** `unlookable`: the home itself could not be looked at; `why` says it. */
  readonly status: "clean" | "findings" | "unlookable";
  readonly why?: string;
  /** How many notes were looked at. */
  readonly notes: number;
  readonly findings: readonly DoctorFinding[];
}

/**
 * Looks through the whole store of an identity, and writes nothing. A home that does not exist is an
 * empty one, and clean.
 *
 * @param now milliseconds since 1970
 */
export async function examine(identity: NotesIdentity, now: number): Promise<Examination> {
  const home = dreamHome(identity);
  const why = whyUnlookable(home.root);
  if (why !== undefined) return { status: "unlookable", why, notes: 0, findings: [] };
  const found: DoctorFinding[] = [...(await examineLayout(home, now))];
  const live = new Set<string>();
  const maps: { readonly address: string; readonly body: string }[] = [];
  const traits: RenameTraits[] = [];
  let notes = 0;
  const { notebooksUnavailable, notesUnavailable } = await surveyNotes(identity, "**", (note) => {
    notes++;
    found.push(...examineNote(note));
    if (note.meta.crumpledAt !== undefined) return;
    live.add(note.address);
    const { address, body, isLinked } = note;
    if (/(?:^|\/)MAP\.md$/u.test(address)) maps.push({ address, body });
    if (!isLinked && note.hasFrontmatter && body !== "") traits.push(traitsOf(note));
  });
  for (const map of maps) found.push(...deadMapLines(map, (address) => live.has(address), identity));
  found.push(...halfRenamed(traits));
  for (const name of notebooksUnavailable)
    // A file in a notebook's place was found by the layout.
    if (!found.some(({ code }) => code === "not_a_folder") || name.includes("/"))
      found.push(
        finding(
          "notebook_unreadable",
          oneLine(name),
          "its folder cannot be read, or leads out of the home; look at its permissions and links",
        ),
      );
  for (const { address, code } of notesUnavailable) found.push(unavailable(address, code));
  const findings = found.toSorted((a, b) => (`${a.code} ${a.where}` < `${b.code} ${b.where}` ? -1 : 1));
  return { status: findings.length === 0 ? "clean" : "findings", notes, findings };
}

/** How a command ends that has examined a store: 0 clean, 1 findings, 2 it could not look. */
export function examinationExitCode({ status }: Pick<Examination, "status">): 0 | 1 | 2 {
  return ({ clean: 0, findings: 1, unlookable: 2 } as const)[status];
}

function whyUnlookable(root: string): string | undefined {
  try {
    const stats = statSync(root, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isDirectory()) return "the notes home is a file; choose another one";
    accessSync(root, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (isSystemError(error)) return `the notes home cannot be read (${error.code}); look at its permissions`;
    throw error;
  }
}

function examineNote({ address, meta, body, hasFrontmatter, block }: SurveyedNote): readonly DoctorFinding[] {
  const fault = blockFault(hasFrontmatter ? block : undefined, body, meta);
  return fault === undefined ? [] : [finding("frontmatter", oneLine(address), fault)];
}

function traitsOf({ address, body, meta: { createdAt, updatedAt } }: SurveyedNote): RenameTraits {
  return { address, createdAt, updatedAt, body: createHash("sha256").update(body).digest("base64") };
}

const UNAVAILABLE: Readonly<Record<string, readonly [FindingCode, string]>> = {
  too_large: ["too_large", "it is larger than a note may be, 1 MiB, and can only be listed; split it"],
  not_utf8: ["not_utf8", "the file or its name is not UTF-8, and is left alone; convert it"],
  invalid_address: ["unreachable", "no address leads to a file of this name; rename it"],
  outside_home: ["outside_home", "the link leads out of the notes home, and is not followed; move the file into it"],
  shadowed: ["shadowed", "another file has this name in another Unicode form, and is the one that is read; rename one"],
};

function unavailable(address: string, code: string): DoctorFinding {
  const [kind, message] = UNAVAILABLE[code] ?? [
    "note_unreadable",
    `it cannot be read (${code}); look at its permissions`,
  ];
  return finding(kind, oneLine(address), message);
}
