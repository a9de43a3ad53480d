import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { report } from "../src/finding.ts";
import { checkFileNames, checkPackageRules } from "../src/package-rules.ts";
import { fixtureWorkspace, manifestOf } from "./fixture-workspace.ts";
import { temporaryFolder, writeFiles } from "./temporary-folder.ts";

describe("checkPackageRules", { timeout: 60_000 }, () => {
  it("passes a package that keeps them", async (context) => {
    expect(checkPackageRules(await fixtureWorkspace(context))).toEqual([]);
  });

  it("fails on a package without README", async (context) => {
    const root = await fixtureWorkspace(context);
    await rm(join(root, "packages/text/README.md"));
    expect(report(checkPackageRules(root))).toEqual([
      "packages/text/package.json: breaks the rule that it has a README.md",
    ]);
  });

  it.for([
    ["private", { private: true }, "is published, not private"],
    ["license", { license: "ISC" }, 'has "license": "MIT"'],
    ["description", { description: " " }, "has a description"],
    ["type", { type: "commonjs" }, 'has "type": "module"'],
    ["files", { files: ["dist", "src"] }, 'has "files": ["dist"]'],
    ["sideEffects", { sideEffects: true }, 'has "sideEffects": false'],
    ["publishConfig", { publishConfig: {} }, 'has "publishConfig": { "access": "public" }'],
    ["engines", { engines: { node: ">=20" } }, 'has "engines": { "node": ">=22.19" }'],
    [
      "exports",
      {
        exports: {
          ".": { types: "./dist/index.d.ts", "@notesoup/source": "./src/index.ts", default: "./dist/index.js" },
        },
      },
      "has the conditions @notesoup/source, types, default in each of its exports, in this order",
    ],
  ] as const)("fails on a wrong %s", async ([, parts, rule], context) => {
    const root = await fixtureWorkspace(context, { "packages/text/package.json": manifestOf("text", parts) });
    expect(report(checkPackageRules(root))).toEqual([`packages/text/package.json: breaks the rule that it ${rule}`]);
  });

  it("lets an app publish more than its dist, and export nothing", async (context) => {
    const root = await fixtureWorkspace(context, {
      "apps/pi/package.json": manifestOf("pi", {
        files: ["dist", "skills"],
        exports: { "./package.json": "./package.json" },
      }),
      "apps/pi/README.md": "# Pi\n",
      "apps/pi/LICENSE": "MIT\n",
    });
    expect(checkPackageRules(root)).toEqual([]);
  });

  it("wants tools and examples private", async (context) => {
    const root = await temporaryFolder(context);
    await writeFiles(root, {
      "package.json": { workspaces: ["tools/*", "examples/*"] },
      "tools/a/package.json": manifestOf("a"),
      "tools/b/package.json": manifestOf("b", { private: true }),
      "examples/c/package.json": manifestOf("c"),
      "examples/d/package.json": manifestOf("d", { private: true }),
    });
    expect(report(checkPackageRules(root))).toEqual([
      "examples/c/package.json: breaks the rule that what is not in packages/ or apps/ is private",
      "tools/a/package.json: breaks the rule that what is not in packages/ or apps/ is private",
    ]);
  });
});

describe("checkFileNames", { timeout: 60_000 }, () => {
  it("fails on a file that is named after its kind", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/src/utils.ts": "",
      "packages/text/test/helpers.ts": "",
      "packages/text/src/common-prefix.ts": "",
    });
    expect((await checkFileNames(root)).map(({ where }) => where).toSorted()).toEqual([
      "packages/text/src/utils.ts",
      "packages/text/test/helpers.ts",
    ]);
  });
});
