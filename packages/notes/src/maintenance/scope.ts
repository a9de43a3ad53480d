import { type NoteAddress, parseAddress } from "../address.ts";
import { advance, isAccepted } from "../glob.ts";
import type { NotesIdentity } from "../identity.ts";
import { ownNamespace, SCOPES, type ScopeForm } from "../namespace.ts";
import { queriedGlob, reachesAt } from "../reach.ts";

/** A set of notes, by their addresses. */
export interface NoteScope {
  readonly glob: string;
  /** Whether an address is in it, under either of its names; `false` for what is no address. */
  has(address: string): boolean;
}

/**
 * The notes that a glob matches, without looking at the disk.
 *
 * @throws NoteError `invalid_glob`, `unknown_scope`
 */
export function scopeOf(glob: string, identity: NotesIdentity): NoteScope {
  const alternatives = queriedGlob(glob);
  return {
    glob,
    has: (address) => {
      const { namespace, components } = owned(parseAddress(address, identity), identity);
      return reachesAt(namespace, alternatives, identity).some(({ alternative, state }) => {
        let reached = state;
        for (const component of components) reached = advance(alternative, reached, component);
        return isAccepted(alternative, reached);
      });
    },
  };
}

/** One's own notebook, also where it was addressed by its name. */
function owned(note: NoteAddress, identity: NotesIdentity): NoteAddress {
  const form = SCOPES.find(({ scope }) => scope === note.namespace.scope) as ScopeForm;
  const own = ownNamespace(form, identity);
  return note.namespace.member === own.member ? { ...note, namespace: own } : note;
}
