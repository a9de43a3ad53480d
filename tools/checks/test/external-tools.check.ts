import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runChild, type ChildResult } from "../src/child.ts";
import { report } from "../src/finding.ts";
import { checkPublint, checkSizes, checkTypes } from "../src/package-tools.ts";
import { checkPackedInstall, packMembers } from "../src/packed-install.ts";
import { publicMembers, type Member } from "../src/workspace.ts";
import { fixtureWorkspace, manifestOf } from "./fixture-workspace.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const layers = (root: string): Promise<ChildResult> =>
  runChild(root, "depcruise", ["--config", ".dependency-cruiser.mjs", "packages", "apps"]);
const unused = (root: string): Promise<ChildResult> => runChild(root, "knip", ["--no-config-hints"]);
const references = (root: string): Promise<ChildResult> => runChild(root, "nx", ["sync:check"]);

/** A package of npm that is there, as it came with another, and that no package.json names. */
const installed = {
  "node_modules/undeclared/package.json": {
    name: "undeclared",
    version: "1.0.0",
    type: "module",
    exports: "./index.js",
  },
  "node_modules/undeclared/index.js": "export const parse = String;\n",
  "node_modules/undeclared/index.d.ts": "export declare const parse: (text: string) => string;\n",
};

describe.concurrent("the lint of layers", () => {
  it("passes what the table allows", async (context) => {
    const { status, output } = await layers(await fixtureWorkspace(context));
    expect(status, output).toBe(0);
  });

  it("fails on an import against the table: static, type-only, dynamic, and by path", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/src/a-static.ts": `import { note } from "@notesoup/notes";\nexport const a = note;\n`,
      "packages/text/src/b-type.ts": `import type { note } from "@notesoup/notes";\nexport type B = typeof note;\n`,
      "packages/text/src/c-dynamic.ts": `export const c = await import("@notesoup/notes");\n`,
      "packages/text/src/d-path.ts": `import { note } from "../../notes/src/index.ts";\nexport const d = note;\n`,
    });
    const { status, output } = await layers(root);
    expect(status).not.toBe(0);
    for (const file of ["a-static", "b-type", "c-dynamic", "d-path"]) {
      expect(output).toContain(`imports-of-packages-text: packages/text/src/${file}.ts → packages/notes/src/index.ts`);
    }
  });

  it("fails on a restricted entry of a package that is allowed", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/notes/src/maintenance.ts": "export const purge = 1;\n",
      "packages/boot/package.json": manifestOf("boot", { dependencies: { "@notesoup/notes": "^0.0.0" } }),
      "packages/boot/src/index.ts": `export { purge } from "../../notes/src/maintenance.ts";\n`,
    });
    expect((await layers(root)).output).toContain("imports-of-packages-notes-maintenance: packages/boot/src/index.ts");
  });

  it("fails on a host's SDK, a circle, an npm package that is not declared, and one that does not exist", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/src/sdk.ts": `import type { Api } from "@earendil-works/pi-coding-agent";\nexport type A = Api;\n`,
      "packages/text/src/one.ts": `import { two } from "./two.ts";\nexport const one = (): unknown => two;\n`,
      "packages/text/src/two.ts": `import { one } from "./one.ts";\nexport const two = (): unknown => one;\n`,
      ...installed,
      "packages/text/src/npm.ts": `import { parse } from "undeclared";\nexport const a = parse;\n`,
      "packages/text/src/gone.ts": `import { gone } from "no-such-package";\nexport const a = gone;\n`,
    });
    const { output } = await layers(root);
    expect(output).toContain("no-host-sdk: packages/text/src/sdk.ts");
    expect(output).toContain("no-circular: packages/text/src/one.ts");
    expect(output).toContain("declared: packages/text/src/npm.ts");
    expect(output).toContain("resolvable: packages/text/src/gone.ts");
  });

  it("fails on a package that has no row in the table", async (context) => {
    const root = await fixtureWorkspace(context, { "packages/strange/package.json": manifestOf("strange") });
    const { status, output } = await layers(root);
    expect(status).not.toBe(0);
    expect(output).toContain("packages/strange is not in the table of layers");
  });
});

describe.concurrent("the lint of unused code", () => {
  it("passes a workspace that uses all it has and declares all it uses", async (context) => {
    const { status, output } = await unused(await fixtureWorkspace(context));
    expect(status, output).toBe(0);
  });

  it("fails on a dependency that is not declared, of the workspace and of npm, and on what nothing uses", async (context) => {
    const root = await fixtureWorkspace(context, {
      ...installed,
      "packages/notes/package.json": manifestOf("notes", { dependencies: { diff: "^9.0.0" } }),
      "packages/notes/src/index.ts": `import { parse } from "undeclared";\nimport { text } from "@notesoup/text";\n\n/** A note. */\nexport const note: string = parse(text);\n`,
      "packages/text/src/text.ts": `export const text = "";\nexport const unused = "";\n`,
      "packages/text/src/nobody.ts": "export const nobody = 1;\n",
    });
    const { status, output } = await unused(root);
    expect(status).not.toBe(0);
    expect(output).toMatch(/Unused files[^]*packages\/text\/src\/nobody\.ts/);
    expect(output).toMatch(/Unused dependencies.*\n.*diff/);
    expect(output).toMatch(/Unlisted dependencies[^]*@notesoup\/text +packages\/notes/);
    expect(output).toMatch(/Unlisted dependencies[^]*undeclared +packages\/notes/);
    expect(output).toMatch(/Unused exports.*\n.*unused/);
  });
});

describe.concurrent("the lint of project references", () => {
  it("passes references that follow the dependencies", async (context) => {
    const { status, output } = await references(await fixtureWorkspace(context));
    expect(status, output).toBe(0);
  });

  it("fails on a reference that is missing", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/notes/tsconfig.build.json": {
        extends: "../../tsconfig.base.json",
        compilerOptions: { rootDir: "src", outDir: "dist" },
        include: ["src"],
      },
    });
    const { status, output } = await references(root);
    expect(status).not.toBe(0);
    expect(output).toContain("packages/notes");
  });
});

function textOf(members: readonly Member[]): Member {
  const text = members.find(({ folder }) => folder === "packages/text");
  if (text === undefined) throw new Error("the fixture has a package text");
  return text;
}

describe.concurrent("the checks of a package", () => {
  it("fail on an export that leads nowhere: publint, the types, and the packed install", async (context) => {
    const root = await fixtureWorkspace(context);
    await rm(join(root, "packages/text/dist/index.js"));
    await rm(join(root, "packages/text/dist/index.d.ts"));
    const members = publicMembers(root);
    const text = textOf(members);
    expect(report(await checkPublint(root, text)).join()).toContain("index.js but the file does not exist");

    const tarballs = await packMembers(root, members, await temporaryFolder(context));
    expect(await checkTypes(root, text, tarballs.get("@notesoup/text") ?? "")).toHaveLength(1);
    const findings = report(await checkPackedInstall(root, text, tarballs, await temporaryFolder(context)));
    expect(findings.join()).toContain("packages/text: cannot be imported");
    expect(findings.join()).toContain("packages/text: does not compile for a strict consumer");
  });

  it("fail on types that only a lenient consumer can compile", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/dist/index.d.ts": `/** A text. */\nexport declare const text: Missing;\n`,
    });
    const members = publicMembers(root);
    const tarballs = await packMembers(root, members, await temporaryFolder(context));
    const findings = report(await checkPackedInstall(root, textOf(members), tarballs, await temporaryFolder(context)));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain("does not compile for a strict consumer");
  });

  it("fail on a package that is too large, and on one that has no limit", async (context) => {
    const limits = [{ name: "@notesoup/text", path: "packages/text/dist/**/*.js", limit: "1 B" }];
    const root = await fixtureWorkspace(context, { ".size-limit.json": limits });
    const findings = report(await checkSizes(root));
    expect(findings).toHaveLength(2);
    expect(findings[0]).toBe(".size-limit.json: has no limit for @notesoup/notes");
    expect(findings[1]).toContain("Package size limit has exceeded");
  });
});
