import { describe, expect, it } from "vitest";
import { environmentReads, importSpecifiers } from "../src/import-specifiers.ts";

const specifiersOf = (text: string): readonly (string | undefined)[] =>
  importSpecifiers("file.d.ts", text).map(({ specifier }) => specifier);

describe("importSpecifiers", () => {
  it.each([
    ["a static import", `import { a } from "x";`],
    ["an import for its effects", `import "x";`],
    ["a type-only import", `import type { A } from "x";`],
    ["a re-export", `export { a } from "x";`],
    ["a re-export of everything", `export * from "x";`],
    ["an import with require", `import a = require("x");`],
    ["an import in a type", `export declare const a: import("x").A;`],
    ["the type of a module", `export declare const a: typeof import("x");`],
    ["a dynamic import", `await import("x");`],
    ["a call of require", `require("x");`],
    ["a resolution", `import.meta.resolve("x");`],
    ["an augmented module", `declare module "x" {}`],
    ["a reference to types", `/// <reference types="x" />`],
    ["a reference to a file", `/// <reference path="x" />`],
  ])("sees %s", (_form, text) => {
    expect(specifiersOf(text)).toEqual(["x"]);
  });

  it("sees that a name is computed", () => {
    expect(specifiersOf("await import(name); require(`${name}/x`);")).toEqual([undefined, undefined]);
  });

  it("takes neither comments nor texts for imports", () => {
    expect(specifiersOf(`// import "x"\n/** @example import "x" */\nexport const a = 'import "x"';`)).toEqual([]);
  });

  it("knows the line", () => {
    expect(importSpecifiers("a.js", `\n\nimport "x";`)).toEqual([{ specifier: "x", line: 3 }]);
  });
});

describe("environmentReads", () => {
  it.each([
    "process.env.HOME",
    `process["env"]`,
    "globalThis.process.env",
    "const { env } = process;",
    "const { env: environment } = process;",
    `import { env } from "node:process";`,
  ])("sees %s", (text) => {
    expect(environmentReads("a.js", text)).toEqual([1]);
  });

  it.each(["// process.env", "options.env", "process.cwd()", `import { env } from "./env.js";`])(
    "allows %s",
    (text) => {
      expect(environmentReads("a.js", text)).toEqual([]);
    },
  );
});
