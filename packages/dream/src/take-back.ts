import { rmSync } from "node:fs";
import { join } from "node:path";
import { NoteError } from "@notesoup/notes";
import { fileState, putFile, withLockedFile } from "@notesoup/notes/maintenance";
import { isSystemError } from "./system-error.ts";
import type { StateOf } from "./run-files.ts";

/** A file that a dream has changed. */
export interface ChangedFile {
  readonly path: string;
  /** As it was before; `null` where it was not there. */
  readonly before: StateOf | null;
  /** As the dream left it; `unknown` where it died in the middle. */
  readonly after: StateOf | null | "unknown";
}

/** What became of the files. */
export interface TakenBack {
  readonly restored: readonly string[];
  /** Files that are no longer as the dream left them, or could not be written: they stay as they are. */
  readonly kept: readonly string[];
}

/**
 * Gives files back the bytes, mode and time that they had before a dream. One that somebody has
 * changed since is kept as it is; to have read a note is not to have changed it. To be done again
 * after a death in the middle, it goes on where it was.
 *
 * @param bytesOf the bytes of a state from before
 */
export async function takeBack(
  root: string,
  files: readonly ChangedFile[],
  bytesOf: (file: ChangedFile, before: StateOf) => Buffer,
): Promise<TakenBack> {
  const restored: string[] = [];
  const kept: string[] = [];
  for (const file of files) {
    const became = await takeBackOne(root, file, bytesOf);
    if (became === "restored") restored.push(file.path);
    else if (became === "kept") kept.push(file.path);
  }
  return { restored, kept };
}

async function takeBackOne(
  root: string,
  file: ChangedFile,
  bytesOf: (file: ChangedFile, before: StateOf) => Buffer,
): Promise<"restored" | "kept" | "same"> {
  const { path, before, after } = file;
  const place = join(root, path);
  try {
    return await withLockedFile(root, place, path, async () => {
      const now = fileState(place) ?? null;
      if (isSame(now, before)) return "same";
      if (after === "unknown" || !isSame(now, after)) return "kept";
      if (before === null) rmSync(place);
      else await putFile(place, { bytes: bytesOf(file, before), mode: before.mode, mtimeMs: before.mtimeMs });
      return "restored";
    });
  } catch (error) {
    if (error instanceof NoteError || isSystemError(error)) return "kept";
    throw error;
  }
}

function isSame(one: StateOf | null, other: StateOf | null): boolean {
  return one?.version === other?.version && one?.mode === other?.mode;
}
