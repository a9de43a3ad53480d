import { isAddressable } from "../address.ts";
import type { NotesIdentity } from "../identity.ts";
import { type Namespace, namedNamespace, ownNamespace, SCOPES } from "../namespace.ts";

/**
 * The canonical address of the note that lies at a path of the home, or `undefined` where no notebook
 * has a note there. One's own notebooks are named by their short sigils.
 *
 * @param path the path in the home, component by component, as it is on disk
 */
export function addressAt(path: readonly string[], identity: NotesIdentity): string | undefined {
  const names = path.map((name) => name.normalize("NFC"));
  for (const form of SCOPES) {
    const isBelow = form.folder.every((name, index) => names[index] === name);
    if (!isBelow) continue;
    const rest = names.slice(form.folder.length);
    const own = ownNamespace(form, identity);
    if (form.namedSigil === undefined) return addressIn(own, rest);
    const [member = "", ...components] = rest;
    if (!form.isMember(member)) return undefined;
    return addressIn(member === own.member ? own : namedNamespace(form, member, identity), components);
  }
  return undefined;
}

function addressIn(namespace: Namespace, components: readonly string[]): string | undefined {
  const isNote = components.at(-1)?.endsWith(".md") === true && isAddressable(namespace, components);
  return isNote ? `${namespace.prefix}${components.join("/")}` : undefined;
}
