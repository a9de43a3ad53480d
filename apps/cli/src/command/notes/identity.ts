import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type NotesIdentity, projectKey } from "@notesoup/notes";
import { WrongUse } from "../refused.ts";

/** Whose notes: what the flags say. */
export interface IdentityFlags {
  readonly home?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly cwd?: string;
}

/** Stands where nobody is named: nothing is ever written under it. */
const NOBODY = "notesoup-nobody";

/** Where the notes lie: `--home`, else `$NOTESOUP_HOME`, else `~/.agents/notes`. */
export function notesHome({ home }: IdentityFlags, env: NodeJS.ProcessEnv = process.env): string {
  if (home !== undefined) return resolve(home);
  const set = env["NOTESOUP_HOME"];
  return set === undefined || set === "" ? join(homedir(), ".agents", "notes") : resolve(set);
}

/** The identity of a call: the project is that of the current folder, which `--cwd` replaces for the operation. */
export function identityOf(flags: IdentityFlags): NotesIdentity {
  return {
    home: notesHome(flags),
    sessionId: flags.session ?? NOBODY,
    projectKey: projectKey(process.cwd()),
    agent: flags.agent ?? NOBODY,
    model: flags.model ?? NOBODY,
  };
}

/**
 * A shell has no session, and is neither an agent nor a model: an address that means one of these
 * needs the flag that says which, or it would name a notebook that no agent ever opens.
 *
 * @throws WrongUse
 */
export function requireOwner(address: string, { session, agent, model }: IdentityFlags): void {
  if (!address.startsWith("@") && session === undefined)
    throw new WrongUse(
      `${address} is a note of a session: name it with --session, or give a note such as @project/${address}`,
    );
  if (/^@self(\/|$)/u.test(address) && agent === undefined)
    throw new WrongUse(`${address} is a note of an agent: name it with --agent, such as --agent pi`);
  if (/^@model(\/|$)/u.test(address) && model === undefined)
    throw new WrongUse(`${address} is a note of a model: name it with --model`);
}
