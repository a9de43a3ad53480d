/**
 * What a folder may import of the workspace: the table of docs/architecture.md as data. It is an
 * allow-list and the only copy: dependency-cruiser reads it for the sources, `dist-imports.ts` for
 * what was built.
 */
export type Layers = Readonly<Record<string, readonly string[]>>;

const foundation: Layers = {
  "packages/text": [],
  "packages/settings": [],
  "packages/protocol": [],
  "packages/budget": [],
  "packages/ide-registry": [],
  "packages/notes": ["packages/text"],
  "packages/history": ["packages/text"],
  "packages/render": ["packages/protocol", "packages/text"],
  "packages/tools": ["packages/text", "packages/protocol", "packages/render", "packages/notes", "packages/history"],
  "packages/boot": ["packages/text", "packages/notes", "packages/history"],
  "packages/dream": [
    "packages/text",
    "packages/protocol",
    "packages/render",
    "packages/notes",
    "packages/notes/maintenance",
    "packages/history",
    "packages/tools",
  ],
  "packages/ide": ["packages/ide-registry"],
};

const anyPackage = Object.keys(foundation);

/** The allow-list. A subpath such as `packages/notes/maintenance` is allowed only where it is listed itself. */
const layers: Layers = {
  ...foundation,
  "apps/pi": anyPackage,
  "apps/claude": anyPackage,
  "apps/dsh": anyPackage,
  // The umbrella re-exports its optional peer `@notesoup/dsh`.
  "apps/cli": [...anyPackage, "apps/dsh"],
};

/** Entry points that nobody may import without being listed by name: not even where the package itself is allowed. */
export const restrictedSubpaths: readonly string[] = ["packages/notes/maintenance"];

/**
 * What a folder may import.
 *
 * @throws Error where the folder is not in the table, so that a new package has to be given its place
 */
export function mayImport(folder: string): readonly string[] {
  const allowed = layers[folder];
  if (allowed === undefined) {
    throw new Error(`${folder} is not in the table of layers: give it a row in tools/checks/src/layers.ts`);
  }
  return allowed;
}

/** SDKs of hosts. Nothing in `packages/` may import one. */
export const hostSdks: readonly string[] = ["@earendil-works/", "@anthropic-ai/", "claude-code/", "@deepseek-ai/"];
