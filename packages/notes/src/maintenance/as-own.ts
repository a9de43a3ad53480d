import { parseAddress } from "../address.ts";
import type { NotesIdentity } from "../identity.ts";
import { type Namespace, SCOPES, type ScopeForm } from "../namespace.ts";

/** An address under two identities. */
export interface RenamedAddress {
  /** The canonical one under the identity that asks. */
  readonly outer: string;
  /** The one by which the note's notebook is the identity's own. */
  readonly inner: string;
}

/** Notes, and an identity whose own notebooks hold them. */
export interface OwnNotes {
  readonly identity: NotesIdentity;
  readonly notes: readonly RenamedAddress[];
}

/**
 * The identity to which the notebooks of some notes are its own: with it a second store can write
 * them, so that the rule of one store, that foreign notebooks are read only, stands as it is.
 *
 * @returns `undefined` where no identity has them all: two notebooks of one scope, or a note of another
 * session whose path begins with `@`
 * @throws NoteError as `parseAddress`
 */
export function asOwn(addresses: readonly string[], asking: NotesIdentity): OwnNotes | undefined {
  let identity = asking;
  const changed = new Set<string>();
  const notes: RenamedAddress[] = [];
  for (const address of addresses) {
    const { namespace, components } = parseAddress(address, asking);
    const form = SCOPES.find(({ scope }) => scope === namespace.scope) as ScopeForm;
    const member = namespace.member ?? "";
    // In a session's own notebook nothing comes before the first component, and `@` would be a sigil.
    if (form.ownSigil === undefined && components[0]?.startsWith("@") === true) return undefined;
    if (changed.has(form.scope) && form.ownMember(identity) !== namespace.member) return undefined;
    changed.add(form.scope);
    identity = withMember(identity, namespace, member);
    const path = components.join("/");
    const isOwn = namespace.member === form.ownMember(asking);
    const ownPrefix = form.ownSigil === undefined ? "" : `${form.ownSigil}/`;
    notes.push({ outer: isOwn ? `${ownPrefix}${path}` : `${namespace.prefix}${path}`, inner: `${ownPrefix}${path}` });
  }
  return { identity, notes };
}

function withMember(identity: NotesIdentity, { scope }: Namespace, member: string): NotesIdentity {
  switch (scope) {
    case "session":
      return { ...identity, sessionId: member };
    case "project":
      return { ...identity, projectKey: member };
    case "agent":
      return { ...identity, agent: member };
    case "model":
      return { ...identity, model: member };
    case "human":
      return identity;
  }
}
