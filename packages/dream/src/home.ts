import { join } from "node:path";
import type { NotesIdentity } from "@notesoup/notes";
import { physicalPath } from "@notesoup/notes/maintenance";

/** Where a dream's own things lie in the notes home. */
export interface DreamHome {
  /** Physical path of the notes home. */
  readonly root: string;
  readonly lock: string;
  /** The audit's repository. */
  readonly gitDir: string;
  /** What is remembered from dream to dream; inside of the repository's folder, so that no notebook and no commit has it. */
  readonly state: string;
}

/** The name of the dream's lock in the home, and the beginning of the names of what stands for it while it is taken over. */
export const DREAM_LOCK = ".dream.lock";

/** The folder of the reports in the home. It is no notebook. */
export const REPORTS_FOLDER = "dreams";

/** The places of a dream in the home of an identity. Nothing is made. */
export function dreamHome({ home }: Pick<NotesIdentity, "home">): DreamHome {
  const root = physicalPath(home);
  const gitDir = join(root, ".git");
  return { root, lock: join(root, DREAM_LOCK), gitDir, state: join(gitDir, "notesoup") };
}
