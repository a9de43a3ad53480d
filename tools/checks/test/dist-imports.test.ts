import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkDistImports } from "../src/dist-imports.ts";
import { report } from "../src/finding.ts";
import { fixtureWorkspace, manifestOf } from "./fixture-workspace.ts";

describe("checkDistImports", { timeout: 60_000 }, () => {
  it("passes what the layers allow and package.json declares", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/notes/dist/more.d.ts": `/// <reference types="node" />\nimport "node:fs";\nimport "@notesoup/notes";`,
    });
    expect(checkDistImports(root)).toEqual([]);
  });

  it("fails on an import against the layers, in every form, though it is declared", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/package.json": manifestOf("text", { dependencies: { "@notesoup/notes": "^0.0.0" } }),
      "packages/text/dist/a-static.js": `import { note } from "@notesoup/notes";`,
      "packages/text/dist/b-type.d.ts": `import type { note } from "@notesoup/notes";`,
      "packages/text/dist/c-type.d.ts": `export declare const n: typeof import("@notesoup/notes");`,
      "packages/text/dist/d-dynamic.js": `await import("@notesoup/notes");`,
      "packages/text/dist/e-again.js": `export * from "@notesoup/notes";`,
    });
    const reason = "imports @notesoup/notes, which the table of layers does not allow";
    expect(report(checkDistImports(root))).toEqual([
      `packages/text/dist/a-static.js:1: ${reason}`,
      `packages/text/dist/b-type.d.ts:1: ${reason}`,
      `packages/text/dist/c-type.d.ts:1: ${reason}`,
      `packages/text/dist/d-dynamic.js:1: ${reason}`,
      `packages/text/dist/e-again.js:1: ${reason}`,
    ]);
  });

  it("fails on the maintenance of the notes where only the notes are allowed", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/boot/package.json": manifestOf("boot", { dependencies: { "@notesoup/notes": "^0.0.0" } }),
      "packages/boot/dist/index.js": `import "@notesoup/notes";\nimport "@notesoup/notes/maintenance";`,
    });
    expect(report(checkDistImports(root))).toEqual([
      "packages/boot/dist/index.js:2: imports @notesoup/notes/maintenance, which the table of layers does not allow",
    ]);
  });

  it("fails on a path that leaves the package", async (context) => {
    const path = "../../notes/dist/index.js";
    const root = await fixtureWorkspace(context, { "packages/text/dist/path.js": `import "${path}";` });
    expect(report(checkDistImports(root))).toEqual([
      `packages/text/dist/path.js:1: imports ${path}, which is outside its dist`,
    ]);
  });

  it("fails on a dependency that is not declared, or only for development", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/notes/package.json": manifestOf("notes", { devDependencies: { yaml: "^2.0.0" } }),
      "packages/notes/dist/npm.js": `import "yaml";`,
    });
    expect(report(checkDistImports(root))).toEqual([
      "packages/notes/dist/index.js:1: imports @notesoup/text, which its package.json does not declare",
      "packages/notes/dist/npm.js:1: imports yaml, which its package.json does not declare",
    ]);
  });

  it("fails on a host's SDK, a computed name, a Node module without its prefix, and a read of the environment", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/dist/a-host.d.ts": `import type { A } from "@earendil-works/pi-coding-agent";`,
      "packages/text/dist/b-computed.js": "await import(name);",
      "packages/text/dist/c-node.js": `import "fs";`,
      "packages/text/dist/d-env.js": "export const home = process.env.HOME;",
    });
    expect(report(checkDistImports(root))).toEqual([
      "packages/text/dist/a-host.d.ts:1: imports @earendil-works/pi-coding-agent: a library knows no host",
      "packages/text/dist/b-computed.js:1: imports a module whose name is computed, so that nobody can check it",
      "packages/text/dist/c-node.js:1: imports fs without node:",
      "packages/text/dist/d-env.js:1: reads the environment of the process: take it as an argument",
    ]);
  });

  it("lets an app use the SDK of its host, a peer, and read the environment", async (context) => {
    const sdk = "@earendil-works/pi-coding-agent";
    const root = await fixtureWorkspace(context, {
      "apps/pi/package.json": manifestOf("pi", { peerDependencies: { [sdk]: "*" } }),
      "apps/pi/dist/index.js": `import "${sdk}";\nexport const home = process.env.HOME;`,
    });
    expect(checkDistImports(root)).toEqual([]);
  });

  it("fails where the notes bring typebox, even through another package", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/package.json": manifestOf("text", { peerDependencies: { typebox: "^1.0.0" } }),
    });
    expect(report(checkDistImports(root))).toEqual(["packages/notes: brings typebox through @notesoup/text"]);
  });

  it("fails where a package is not built", async (context) => {
    const root = await fixtureWorkspace(context);
    await rm(join(root, "packages/text/dist"), { recursive: true });
    expect(report(checkDistImports(root))).toEqual(["packages/text: is not built: run `npm run build` first"]);
  });
});
