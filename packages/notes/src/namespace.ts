import { isSafeComponent, isSlug, type NotesIdentity } from "./identity.ts";

/** Which kind of notebook a note is in. */
export type Scope = "session" | "project" | "human" | "agent" | "model";

/** A partition of the store: a scope with the member that it names. */
export interface Namespace {
  readonly scope: Scope;
  /** The session id, project key, agent or model; `undefined` for the one notebook of the human. */
  readonly member: string | undefined;
  /**
   * What may be done here. `own`: everything. `foreign`, the notes of another agent or model: to
   * read, crumple and uncrumple. `named`, a project or session addressed by its name, one's own
   * too: to read, and no access is counted.
   */
  readonly access: "own" | "foreign" | "named";
  /** What a canonical address here begins with: `@project/`, `@agents/reviewer/`, or nothing for the current session. */
  readonly prefix: string;
}

/** How the notebooks of a scope are addressed, and where they lie. */
export interface ScopeForm {
  readonly scope: Scope;
  /** The sigil of the identity's own notebook; the session's own has none. */
  readonly ownSigil: string | undefined;
  /** The sigil that a member's name follows; the human is one and has none. */
  readonly namedSigil: string | undefined;
  /** The folder in the notes home; a member's notebook is a folder in it. */
  readonly folder: readonly string[];
  /** The identity's own member. */
  readonly ownMember: (identity: NotesIdentity) => string | undefined;
  readonly isMember: (name: string) => boolean;
  /** What a member is, for a message. */
  readonly memberRule: string;
}

/** Every scope. `pi/session` is a historical name: every host keeps its session notebooks there. */
export const SCOPES: readonly ScopeForm[] = [
  {
    scope: "session",
    ownSigil: undefined,
    namedSigil: "@sessions",
    folder: ["pi", "session"],
    ownMember: ({ sessionId }) => sessionId,
    isMember: isSafeComponent,
    memberRule: "a session id",
  },
  {
    scope: "project",
    ownSigil: "@project",
    namedSigil: "@projects",
    folder: ["project"],
    ownMember: ({ projectKey }) => projectKey,
    isMember: isSafeComponent,
    memberRule: "a project key",
  },
  {
    scope: "human",
    ownSigil: "@human",
    namedSigil: undefined,
    folder: ["human"],
    ownMember: () => undefined,
    isMember: () => false,
    memberRule: "",
  },
  {
    scope: "agent",
    ownSigil: "@self",
    namedSigil: "@agents",
    folder: ["agents"],
    ownMember: ({ agent }) => agent,
    isMember: isSlug,
    memberRule: "an agent's slug",
  },
  {
    scope: "model",
    ownSigil: "@model",
    namedSigil: "@models",
    folder: ["models"],
    ownMember: ({ model }) => model,
    isMember: isSlug,
    memberRule: "a model's slug",
  },
];

/** The identity's own notebook of a scope. */
export function ownNamespace({ scope, ownSigil, ownMember }: ScopeForm, identity: NotesIdentity): Namespace {
  return { scope, member: ownMember(identity), access: "own", prefix: ownSigil === undefined ? "" : `${ownSigil}/` };
}

/** The notebook of a member that is addressed by its name. One's own agent and model are the same as `@self` and `@model`. */
export function namedNamespace(form: ScopeForm, member: string, identity: NotesIdentity): Namespace {
  const { scope, namedSigil, ownMember } = form;
  const isOfItself = scope === "agent" || scope === "model";
  if (isOfItself && member === ownMember(identity)) return ownNamespace(form, identity);
  return { scope, member, access: isOfItself ? "foreign" : "named", prefix: `${namedSigil}/${member}/` };
}

/** The folder of a namespace inside the notes home. */
export function namespaceFolder({ scope, member }: Namespace): readonly string[] {
  const folder = SCOPES.find((form) => form.scope === scope)?.folder ?? [];
  return member === undefined ? folder : [...folder, member];
}
