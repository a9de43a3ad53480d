import { describe, expect, it } from "vitest";
import { report } from "../src/finding.ts";
import { checkPublicSurface } from "../src/public-surface.ts";
import { fixtureWorkspace } from "./fixture-workspace.ts";

describe("checkPublicSurface", { timeout: 60_000 }, () => {
  it("passes exports that are named and documented where they are declared, in another package too", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/notes/src/index.ts": `export { text as words } from "@notesoup/text";\n`,
    });
    expect(checkPublicSurface(root)).toEqual([]);
  });

  it("fails on a wildcard", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/src/index.ts": `export * from "./text.ts";\nexport * as all from "./text.ts";\n`,
    });
    expect(report(checkPublicSurface(root))).toContain(
      `packages/text/src/index.ts: export * from "./text.ts"; lists no names`,
    );
    expect(report(checkPublicSurface(root))).toContain(
      `packages/text/src/index.ts: export * as all from "./text.ts"; lists no names`,
    );
  });

  it("fails on an export without a doc comment, be it a value or a type", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/src/index.ts": `export { text, bare } from "./text.ts";\nexport type { Bare } from "./text.ts";\n`,
      "packages/text/src/text.ts": `/** A text. */\nexport const text = "";\n// No doc comment.\nexport const bare = 1;\nexport interface Bare {}\n`,
    });
    expect(report(checkPublicSurface(root))).toEqual([
      "packages/text/src/index.ts: exports bare, which has no doc comment",
      "packages/text/src/index.ts: exports Bare, which has no doc comment",
    ]);
  });

  it("fails on a source that exports names and is not there", async (context) => {
    const root = await fixtureWorkspace(context, {
      "packages/text/src/index.ts": `export { text } from "./gone.ts";\n`,
    });
    expect(report(checkPublicSurface(root))).toEqual([
      "packages/text/src/index.ts: exports text, which has no doc comment",
    ]);
  });
});
