import { join, resolve } from "node:path";
import { createNotesStore, NoteError, type NotesIdentity, projectKey, slugify } from "@notesoup/notes";
import { quote } from "@notesoup/text";
import { personHome } from "../person-home.ts";
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

/** Is it a notebook that stands for nobody's, where no session, agent and model are named? */
export function isNobodys(notebook: string): boolean {
  return ["@self", "@model", `@sessions/${NOBODY}`].includes(notebook);
}

/**
 * Where the notes lie: `--home`, else `$NOTESOUP_HOME`, else `~/.agents/notes`. An empty variable is
 * none; an empty flag is more likely a variable of a script that is not set, and would mean the current folder.
 *
 * @throws WrongUse
 */
export function notesHome({ home }: IdentityFlags, env: NodeJS.ProcessEnv = process.env): string {
  if (home === "") throw new WrongUse("--home is empty; name a folder, or leave it out");
  if (home !== undefined) return resolve(home);
  const set = env["NOTESOUP_HOME"];
  return set === undefined || set === "" ? join(personHome(), ".agents", "notes") : resolve(set);
}

/**
 * The identity of a call: the project is that of the current folder, which `--cwd` replaces for the operation.
 *
 * @throws WrongUse
 */
export function identityOf(flags: IdentityFlags): NotesIdentity {
  const identity = {
    home: notesHome(flags),
    sessionId: flags.session ?? NOBODY,
    projectKey: projectKey(process.cwd()),
    agent: slugOf("--agent", flags.agent),
    model: slugOf("--model", flags.model),
  };
  try {
    // The store is the judge of a name; making one touches no disk.
    createNotesStore(identity);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new WrongUse(error.message.replace(/^identity\.sessionId/u, "--session"));
  }
  return identity;
}

/** The notebook of an agent or a model is called by a slug: a name that is none names no notebook. */
function slugOf(flag: string, name: string | undefined): string {
  if (name === undefined) return NOBODY;
  const slug = slugIn(name);
  if (slug === name) return slug;
  const advice = slug === undefined ? "give letters of a-z or digits" : `give ${flag} ${slug}`;
  throw new WrongUse(
    `${flag} is ${quote(name, SHOWN_CHARS)}, and its notes lie under a name of a-z, digits, - and .; ${advice}`,
  );
}

function slugIn(name: string): string | undefined {
  try {
    return slugify(name);
  } catch (error) {
    if (error instanceof NoteError) return undefined;
    throw error;
  }
}

/** Code points of what was given before a message cuts it. */
const SHOWN_CHARS = 80;

/**
 * A shell has no session, and is neither an agent nor a model: an address that means one of these
 * needs the flag that says which, or it would name a notebook that no agent ever opens.
 *
 * @throws WrongUse
 */
export function requireOwner(address: string, { session, agent, model }: IdentityFlags): void {
  const shown = quote(address, SHOWN_CHARS);
  if (address === "") throw new WrongUse("the address is empty; give one such as @project/decisions.md");
  if (!address.startsWith("@") && session === undefined)
    throw new WrongUse(
      `${shown} is a note of a session: name it with --session, or address a note of the project with @project/ before it`,
    );
  if (/^@self(\/|$)/u.test(address) && agent === undefined)
    throw new WrongUse(`${shown} is a note of an agent: name it with --agent, such as --agent pi`);
  if (/^@model(\/|$)/u.test(address) && model === undefined)
    throw new WrongUse(`${shown} is a note of a model: name it with --model`);
}

/**
 * The notes that a list or a search means where no glob says which: those of the project and the
 * person, and of the session, agent and model that are named. What is nobody's is not looked at.
 */
export function ownGlob({ session, agent, model }: IdentityFlags): string {
  const globs = [
    "@project/**",
    "@human/**",
    ...(session === undefined ? [] : ["*", "*/**"]),
    ...(agent === undefined ? [] : ["@self/**"]),
    ...(model === undefined ? [] : ["@model/**"]),
  ];
  return `{${globs.join(",")}}`;
}
