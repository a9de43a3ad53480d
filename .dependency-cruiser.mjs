// Layers and dependencies of the sources. The table itself is in tools/checks/src/layers.ts.
import { existsSync, readdirSync } from "node:fs";
import { hostSdks, mayImport, restrictedSubpaths } from "./tools/checks/src/layers.ts";

const folders = ["packages", "apps"]
  .filter((group) => existsSync(group))
  .flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(`${folder}/package.json`));

const ruleName = (folder) => `imports-of-${folder.replaceAll("/", "-")}`;

const boundaries = folders.map((folder) => ({
  name: ruleName(folder),
  comment: "What a package may import of the workspace is an allow-list: tools/checks/src/layers.ts.",
  severity: "error",
  from: { path: `^${folder}/src/` },
  to: {
    path: "^(packages|apps|tools)/",
    pathNot: [`^(${[folder, ...mayImport(folder)].join("|")})/`, "/node_modules/"],
  },
}));

// `notes/maintenance` is the source file `packages/notes/src/maintenance.ts` or the folder of that name.
const restrictions = restrictedSubpaths.map((subpath) => {
  const owner = subpath.slice(0, subpath.lastIndexOf("/"));
  const trusted = [owner, ...folders.filter((folder) => mayImport(folder).includes(subpath))];
  return {
    name: ruleName(subpath),
    severity: "error",
    from: { path: "^(packages|apps)/", pathNot: `^(${trusted.join("|")})/` },
    to: { path: `^${owner}/src/${subpath.slice(owner.length + 1)}[./]` },
  };
});

const sdk = `(^|/node_modules/)(${hostSdks.join("|")})`;

export default {
  forbidden: [
    ...boundaries,
    ...restrictions,
    { name: "no-host-sdk", severity: "error", from: { path: "^packages/" }, to: { path: sdk } },
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "resolvable",
      comment: "A host's SDK is resolved by the `paths` of its app's own tsconfig; there the compiler proves it.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: sdk },
    },
    {
      name: "declared",
      comment:
        "What a source imports is a dependency. An app bundles workspace packages, and may keep them for itself.",
      severity: "error",
      from: { path: "^(packages|apps)/[^/]+/src/" },
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"],
        dependencyTypesNot: ["npm", "npm-peer", "npm-optional", "type-only"],
        pathNot: "^packages/",
      },
    },
  ],
  options: {
    exclude: { path: "/(dist|out-tsc)/" },
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@notesoup/source", "import", "node", "default"],
    },
  },
};
