import { quote, utf8Bytes } from "@notesoup/text";
import { isDeviceName } from "./device-name.ts";
import { NoteError } from "./error.ts";
import { isSafeComponent, isSlug, type NotesIdentity } from "./identity.ts";

/** Which kind of notebook a note is in. */
export type Scope = "session" | "project" | "human" | "agent" | "model";

/** A partition of the store: a scope with the member that it names. */
export interface Namespace {
  readonly scope: Scope;
  /** The session id, project key, agent or model; `undefined` for the one notebook of the human. */
  readonly member: string | undefined;
  /**
   * Whether notes here can be read only: a project or session addressed by its name, and the
   * notes of another agent or model.
   */
  readonly readOnly: boolean;
  /** What a canonical address here begins with: `@project/`, `@agents/reviewer/`, or nothing for the current session. */
  readonly prefix: string;
}

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

const FORMS =
  "a path for this session (todo.md), @project/…, @human/…, @self/…, @model/…, @projects/<key>/…, @sessions/<id>/…, @agents/<slug>/… or @models/<slug>/…";

/**
 * Understands an address for an identity.
 *
 * @throws NoteError `invalid_text` (a lone surrogate), `unknown_scope` (the leading sigil names
 * nothing), `invalid_address`
 */
export function parseAddress(address: string, identity: NotesIdentity): NoteAddress {
  if (typeof address !== "string") throw malformed(String(address), "it is not text");
  if (!address.isWellFormed()) {
    throw new NoteError(
      "invalid_text",
      `the address ${quote(address)} holds a lone surrogate, which no file name can hold; write the character whole`,
    );
  }
  const composed = address.normalize("NFC");
  const { namespace, path } = composed.startsWith("@")
    ? splitSigil(composed, identity)
    : { namespace: currentSession(identity), path: composed };
  const components = (path.endsWith(".md") ? path : `${path}.md`).split("/");
  // The name as it was written is judged, so that `todo/` is a missing name and not a note called `.md`.
  const written = path.split("/");
  written.forEach((component, index) => checkComponent(component, components[index] ?? component, composed));
  if (components.at(-1) === ".md") throw malformed(composed, "the note's name is empty");
  if (components.length > MAX_COMPONENTS) throw malformed(composed, `it has more than ${MAX_COMPONENTS} components`);
  return { address: `${namespace.prefix}${components.join("/")}`, namespace, components };
}

function currentSession({ sessionId }: NotesIdentity): Namespace {
  return { scope: "session", member: sessionId, readOnly: false, prefix: "" };
}

function splitSigil(address: string, identity: NotesIdentity): { namespace: Namespace; path: string } {
  const slash = address.indexOf("/");
  const sigil = slash === -1 ? address : address.slice(0, slash);
  const rest = slash === -1 ? undefined : address.slice(slash + 1);
  const own = ownNamespace(sigil, identity);
  if (own !== undefined) return { namespace: own, path: requirePath(rest, address) };
  const named = NAMED.get(sigil);
  if (named === undefined) throw unknownScope(address, sigil);
  const memberEnd = rest?.indexOf("/") ?? -1;
  const member = memberEnd === -1 ? rest : rest?.slice(0, memberEnd);
  if (member === undefined || !named.isMember(member))
    throw malformed(address, `${sigil}/ must be followed by ${named.memberRule} and a path`);
  const path = memberEnd === -1 ? undefined : rest?.slice(memberEnd + 1);
  return { namespace: named.namespace(member, identity), path: requirePath(path, address) };
}

/** The four sigils that mean the identity's own notebooks. */
function ownNamespace(sigil: string, identity: NotesIdentity): Namespace | undefined {
  switch (sigil) {
    case "@project":
      return { scope: "project", member: identity.projectKey, readOnly: false, prefix: "@project/" };
    case "@human":
      return { scope: "human", member: undefined, readOnly: false, prefix: "@human/" };
    case "@self":
      return { scope: "agent", member: identity.agent, readOnly: false, prefix: "@self/" };
    case "@model":
      return { scope: "model", member: identity.model, readOnly: false, prefix: "@model/" };
    default:
      return undefined;
  }
}

interface NamedSigil {
  readonly isMember: (member: string) => boolean;
  readonly memberRule: string;
  readonly namespace: (member: string, identity: NotesIdentity) => Namespace;
}

/**
 * The sigils that are followed by a name. A project or a session named so can be read only, one's
 * own included; one's own agent and model are the same notebooks as `@self` and `@model`.
 */
const NAMED: ReadonlyMap<string, NamedSigil> = new Map<string, NamedSigil>([
  [
    "@projects",
    {
      isMember: isSafeComponent,
      memberRule: "a project key",
      namespace: (member) => ({ scope: "project", member, readOnly: true, prefix: `@projects/${member}/` }),
    },
  ],
  [
    "@sessions",
    {
      isMember: isSafeComponent,
      memberRule: "a session id",
      namespace: (member) => ({ scope: "session", member, readOnly: true, prefix: `@sessions/${member}/` }),
    },
  ],
  [
    "@agents",
    {
      isMember: isSlug,
      memberRule: "an agent's slug",
      namespace: (member, { agent }) =>
        member === agent
          ? { scope: "agent", member, readOnly: false, prefix: "@self/" }
          : { scope: "agent", member, readOnly: true, prefix: `@agents/${member}/` },
    },
  ],
  [
    "@models",
    {
      isMember: isSlug,
      memberRule: "a model's slug",
      namespace: (member, { model }) =>
        member === model
          ? { scope: "model", member, readOnly: false, prefix: "@model/" }
          : { scope: "model", member, readOnly: true, prefix: `@models/${member}/` },
    },
  ],
]);

function requirePath(path: string | undefined, address: string): string {
  if (path === undefined || path === "") throw malformed(address, "it names a notebook and no note in it");
  return path;
}

/** `written` is what the caller wrote, `component` the same with the `.md` that a note's file has. */
function checkComponent(written: string, component: string, address: string): void {
  if (written === "") throw malformed(address, "a component is empty");
  if (written === "." || written === "..") throw malformed(address, `a component is ${quote(written)}`);
  if (/\p{Cc}/u.test(written)) throw malformed(address, "it holds a control character");
  if (/[\\:]/u.test(written)) throw malformed(address, "it holds a backslash or a colon");
  if (/[ .]$/u.test(written)) throw malformed(address, "a component ends in a space or a dot");
  if (isDeviceName(written)) throw malformed(address, `${quote(written)} is a device name on Windows`);
  if (utf8Bytes(component) > MAX_COMPONENT_BYTES)
    throw malformed(address, `a component is longer than ${MAX_COMPONENT_BYTES} bytes`);
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
