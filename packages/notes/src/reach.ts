import { readdirSync } from "node:fs";
import { join } from "node:path";
import { quote } from "@notesoup/text";
import { NoteError } from "./error.ts";
import { advance, type GlobAlternative, type GlobState, parseGlob, startState } from "./glob.ts";
import type { NotesIdentity } from "./identity.ts";
import { type Namespace, namedNamespace, namespaceFolder, ownNamespace, type ScopeForm, SCOPES } from "./namespace.ts";
import { isSystemError } from "./system-error.ts";

/** An alternative of a glob, and how far it has been matched on the way to some place. */
export interface Reach {
  readonly alternative: GlobAlternative;
  readonly state: GlobState;
}

/** A namespace in which a glob can match, and how far it has been matched at its root. */
export interface ReachedNamespace {
  readonly namespace: Namespace;
  readonly reaches: readonly Reach[];
}

/** The namespaces that a query is about, and those that could not be looked up. */
export interface Reached {
  readonly namespaces: readonly ReachedNamespace[];
  readonly unavailable: readonly string[];
}

/** The five notebooks of the identity: what is meant where nothing is said. */
const DEFAULT_GLOB = "@default";

/**
 * Reads the glob of a query.
 *
 * @throws NoteError `invalid_glob`, `unknown_scope`
 */
export function queriedGlob(glob: string = DEFAULT_GLOB): readonly GlobAlternative[] {
  const alternatives = parseGlob(glob);
  for (const { head, parts } of alternatives) checkHead(head, parts.length, glob);
  return alternatives;
}

/**
 * The namespaces in which a glob can match. A glob that begins with `**` can match in every one;
 * one that begins with a sigil in those that the sigil can mean, one's own by either of their
 * names; any other in the current session's only.
 *
 * @param root physical notes home
 */
export function reachedNamespaces(
  root: string,
  alternatives: readonly GlobAlternative[],
  identity: NotesIdentity,
): Reached {
  const unavailable: string[] = [];
  const candidates = SCOPES.flatMap((form) => {
    const own = { form, namespace: ownNamespace(form, identity), names: ownNames(form, identity) };
    const members = membersOf(root, form, alternatives, unavailable).filter(
      (member) => member !== form.ownMember(identity),
    );
    return [
      own,
      ...members.map((member) => ({
        form,
        namespace: namedNamespace(form, member, identity),
        names: [[form.namedSigil ?? "", member]],
      })),
    ];
  });
  const namespaces = candidates.map(({ namespace, names }) => ({
    namespace,
    reaches: alternatives.flatMap((alternative) => reachesOf(alternative, namespace, names)),
  }));
  return { namespaces: namespaces.filter(({ reaches }) => reaches.length > 0), unavailable };
}

/** How far a glob is matched at the root of one namespace, for each alternative that can match there. */
export function reachesAt(
  namespace: Namespace,
  alternatives: readonly GlobAlternative[],
  identity: NotesIdentity,
): readonly Reach[] {
  const form = SCOPES.find(({ scope }) => scope === namespace.scope) as ScopeForm;
  const names =
    namespace.access === "own" ? ownNames(form, identity) : [[form.namedSigil ?? "", namespace.member ?? ""]];
  return alternatives.flatMap((alternative) => reachesOf(alternative, namespace, names));
}

/** `@default` stands alone, and any other sigil that is written out must mean something. */
function checkHead(head: string, parts: number, glob: string): void {
  if (!head.startsWith("@") || /[*?[]/u.test(head)) return;
  if (head === DEFAULT_GLOB) {
    if (parts === 1) return;
    const message = `the glob ${quote(glob)} cannot be used: @default stands alone, for the five current notebooks; for paths in them write {*,@project/*,@human/*,@self/*,@model/*} or one of these`;
    throw new NoteError("invalid_glob", message);
  }
  if (SCOPES.some(({ ownSigil, namedSigil }) => ownSigil === head || namedSigil === head)) return;
  const message = `the glob ${quote(glob)} begins with ${quote(head)}, which names no notebook; use @project/**, @human/**, @self/**, @model/**, @projects/<key>/**, @sessions/<id>/**, @agents/<slug>/**, @models/<slug>/**, a path of this session, or ** for all`;
  throw new NoteError("unknown_scope", message);
}

/** What comes before a path in one's own notebook, component by component: by its short name and by its full one. */
function ownNames(form: ScopeForm, identity: NotesIdentity): string[][] {
  const member = form.ownMember(identity);
  return [
    form.ownSigil === undefined ? [] : [form.ownSigil],
    ...(form.namedSigil === undefined || member === undefined ? [] : [[form.namedSigil, member]]),
  ];
}

/** The members of a scope that lie in the home, if a glob can match in one that is addressed by its name. */
function membersOf(
  root: string,
  form: ScopeForm,
  alternatives: readonly GlobAlternative[],
  unavailable: string[],
): string[] {
  const { namedSigil, folder, isMember } = form;
  const isReached =
    namedSigil !== undefined && alternatives.some((alternative) => reachAlong(alternative, [namedSigil]) !== undefined);
  if (!isReached) return [];
  try {
    const entries = readdirSync(join(root, ...folder), { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile() && isMember(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // A folder that is missing is an empty one.
    if (!isSystemError(error, "ENOENT")) unavailable.push(namedSigil);
    return [];
  }
}

function reachesOf(alternative: GlobAlternative, { access }: Namespace, names: readonly string[][]): Reach[] {
  if (alternative.head === DEFAULT_GLOB) return access === "own" ? [EVERYTHING] : [];
  return names.flatMap((name) => reachAlong(alternative, name) ?? []);
}

/** How far an alternative is matched behind the name of a namespace, if it can match there. */
function reachAlong(alternative: GlobAlternative, name: readonly string[]): Reach | undefined {
  const { head } = alternative;
  const isForSession = !head.startsWith("@") && head !== "**";
  if (name.length === 0 ? head.startsWith("@") : isForSession) return undefined;
  let state = startState(alternative);
  for (const component of name) state = advance(alternative, state, component);
  return state.size === 0 ? undefined : { alternative, state };
}

const [everything] = parseGlob("**") as [GlobAlternative];
const EVERYTHING: Reach = { alternative: everything, state: startState(everything) };

/** A namespace as a status names it: what its addresses begin with, the current session by its full name. */
export function namespaceLabel({ prefix, member }: Namespace): string {
  return prefix === "" ? `@sessions/${member}` : prefix.slice(0, -1);
}

/** The physical folder of a namespace before its links are followed. */
export function namespacePath(root: string, namespace: Namespace): string {
  return join(root, ...namespaceFolder(namespace));
}
