import { isSafeComponent, isSlug } from "../identity.ts";
import { SCOPES, type Scope } from "../namespace.ts";

/** Where the notebooks of a scope lie in the notes home. */
export interface NotebookFolder {
  readonly scope: Scope;
  /** The folder's path in the home, component by component. */
  readonly path: readonly string[];
  /** Whether each folder in it is a notebook of its own, named after a member; else it is the notebook itself. */
  readonly hasMembers: boolean;
  /** Whether a name can be a member's. */
  readonly isMember: (name: string) => boolean;
}

/** The folders of every scope (the layout of the notes home). */
export const notebookFolders: readonly NotebookFolder[] = SCOPES.map(({ scope, folder, namedSigil }) => ({
  scope,
  path: folder,
  hasMembers: namedSigil !== undefined,
  isMember: scope === "agent" || scope === "model" ? isSlug : isSafeComponent,
}));
