import { quote, utf8Bytes } from "@notesoup/text";
import { isDeviceName } from "./device-name.ts";
import { NoteError } from "./error.ts";
import { shownValue } from "./given.ts";
import type { NotesIdentity } from "./identity.ts";
import { type Namespace, namedNamespace, ownNamespace, SCOPES, type ScopeForm } from "./namespace.ts";

/** An address, understood. */
export interface NoteAddress {
  /** The one canonical spelling: NFC, with `.md`, one's own notebooks by their short sigil. */
  readonly address: string;
  readonly namespace: Namespace;
  /** The path inside the notebook, component by component; the last ends in `.md`. */
  readonly components: readonly string[];
}

const MAX_COMPONENTS = 16;
const MAX_COMPONENT_BYTES = 255;
/** The longest of all prefixes: a sigil with the name of a session or project, `@projects/…/`. */
const MAX_PREFIX_BYTES = 10 + 128 + 1;
/**
 * To compose a text takes time that grows as its square: what is longer than this is refused before.
 * No form of a text has more than one and a half UTF-16 units for each byte of its NFC (`\u01d6` has
 * two bytes, and three units decomposed).
 */
const MAX_UNITS = Math.floor(1.5 * (MAX_PREFIX_BYTES + MAX_COMPONENTS * (MAX_COMPONENT_BYTES + 1)));

const FORMS =
  "a path for this session (todo.md), @project/…, @human/…, @self/…, @model/…, @projects/<key>/…, @sessions/<id>/…, @agents/<slug>/… or @models/<slug>/…";

const SESSION = SCOPES.find(({ scope }) => scope === "session") as ScopeForm;

/**
 * Understands an address for an identity.
 *
 * @throws NoteError `invalid_text` (a lone surrogate), `unknown_scope` (the leading sigil names
 * nothing), `invalid_address`
 */
export function parseAddress(address: string, identity: NotesIdentity): NoteAddress {
  if (typeof address !== "string" || address.length > MAX_UNITS) throw notAddress(address);
  if (!address.isWellFormed()) {
    throw new NoteError(
      "invalid_text",
      `the address ${quote(address)} holds a lone surrogate, which no file name can hold; write the character whole`,
    );
  }
  const composed = address.normalize("NFC");
  const { namespace, path } = composed.startsWith("@")
    ? splitSigil(composed, identity)
    : { namespace: ownNamespace(SESSION, identity), path: composed };
  const components = (path.endsWith(".md") ? path : `${path}.md`).split("/");
  // The name as it was written is judged, so that `todo/` is a missing name and not a note called `.md`.
  const written = path.split("/");
  written.forEach((component, index) => checkComponent(component, components[index] ?? component, composed));
  if (components.at(-1) === ".md") throw malformed(composed, "the note's name is empty");
  if (components.length > MAX_COMPONENTS) throw malformed(composed, `it has more than ${MAX_COMPONENTS} components`);
  return { address: `${namespace.prefix}${components.join("/")}`, namespace, components };
}

function splitSigil(address: string, identity: NotesIdentity): { namespace: Namespace; path: string } {
  const { head: sigil, rest } = headOf(address);
  const own = SCOPES.find(({ ownSigil }) => ownSigil === sigil);
  if (own !== undefined) return { namespace: ownNamespace(own, identity), path: requirePath(rest, address) };
  const named = SCOPES.find(({ namedSigil }) => namedSigil === sigil);
  if (named === undefined) throw unknownScope(address, sigil);
  const { head: member, rest: path } = headOf(rest ?? "");
  if (!named.isMember(member)) throw malformed(address, `${sigil}/ must be followed by ${named.memberRule} and a path`);
  return { namespace: namedNamespace(named, member, identity), path: requirePath(path, address) };
}

/** What is before the first slash, and what is behind it, if there is one. */
function headOf(path: string): { readonly head: string; readonly rest: string | undefined } {
  const slash = path.indexOf("/");
  return slash === -1 ? { head: path, rest: undefined } : { head: path.slice(0, slash), rest: path.slice(slash + 1) };
}

function requirePath(path: string | undefined, address: string): string {
  if (path === undefined || path === "") throw malformed(address, "it names a notebook and no note in it");
  return path;
}

/** `written` is what the caller wrote, `component` the same with the `.md` that a note's file has. */
function checkComponent(written: string, component: string, address: string): void {
  const fault = written === "" ? "a component is empty" : componentFault(written);
  if (fault !== undefined) throw malformed(address, fault);
  if (utf8Bytes(component) > MAX_COMPONENT_BYTES)
    throw malformed(address, `a component is longer than ${MAX_COMPONENT_BYTES} bytes`);
}

/** Why a name cannot be a component of an address, if it cannot. */
function componentFault(name: string): string | undefined {
  if (name === "." || name === "..") return `a component is ${quote(name)}`;
  if (/\p{Cc}/u.test(name)) return "it holds a control character";
  if (/[\\:]/u.test(name)) return "it holds a backslash or a colon";
  if (/[ .]$/u.test(name)) return "a component ends in a space or a dot";
  if (isDeviceName(name)) return `${quote(name)} is a device name on Windows`;
  return undefined;
}

/**
 * Whether a file that lies at these components in a notebook has an address, by which it can be
 * read. Names are taken as they are on disk, in their composed form.
 */
export function isAddressable({ prefix }: Namespace, components: readonly string[]): boolean {
  const [first = "", name = ""] = [components[0], components.at(-1)];
  return (
    components.length <= MAX_COMPONENTS &&
    components.every(
      (component) =>
        component.isWellFormed() &&
        componentFault(component) === undefined &&
        utf8Bytes(component) <= MAX_COMPONENT_BYTES,
    ) &&
    name !== ".md" &&
    // In the session's own notebook nothing comes before the first component, and `@` would be a sigil.
    !(prefix === "" && first.startsWith("@"))
  );
}

/** What is no text, or so long that it is not looked at. */
function notAddress(value: unknown): NoteError {
  const found = typeof value === "string" ? `a text of ${value.length} characters` : shownValue(value);
  const why = typeof value === "string" ? `the longest has ${MAX_UNITS}` : "it is not text";
  return new NoteError("invalid_address", `${found} is not an address: ${why}; an address is ${FORMS}`);
}

function unknownScope(address: string, sigil: string): NoteError {
  const begins = sigil === address ? quote(address) : `${quote(address)} begins with ${quote(sigil)}, which`;
  return new NoteError("unknown_scope", `${begins} names no notebook; an address is ${FORMS}`, { address });
}

function malformed(address: string, why: string): NoteError {
  return new NoteError("invalid_address", `${quote(address)} is not an address: ${why}; an address is ${FORMS}`, {
    address,
  });
}
