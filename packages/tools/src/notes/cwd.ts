import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type NotesIdentity, projectKey } from "@notesoup/notes";
import { quote } from "@notesoup/text";
import { Refused } from "../refused.ts";
import type { NotesToolContext } from "./context.ts";

/**
 * The identity of one call: the context's, with the project of the call's `cwd` where one is
 * given. A relative `cwd` resolves against the context's base, an absolute one stands, `~` is a
 * name like any other.
 *
 * @throws Refused `invalid_cwd` where it is not an existing directory
 */
export async function identityForCall({ identity, baseCwd }: NotesToolContext, cwd: unknown): Promise<NotesIdentity> {
  if (cwd === undefined) return identity;
  const folder = typeof cwd === "string" ? resolve(baseCwd, cwd) : undefined;
  if (folder === undefined || !(await isDirectory(folder))) {
    const given = typeof cwd === "string" ? quote(cwd) : `of type ${typeof cwd}`;
    throw new Refused(
      "invalid_cwd",
      `cwd ${given} is not an existing directory; give one, absolute or relative to the session's folder, or leave cwd out`,
    );
  }
  return { ...identity, projectKey: projectKey(folder) };
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Missing, unreachable, or not a path at all (a NUL in it): no directory to work in.
    return false;
  }
}
