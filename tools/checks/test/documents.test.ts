import type { TestContext } from "vitest";
import { describe, expect, it } from "vitest";
import { checkDocumentLinks } from "../src/document-links.ts";
import { checkDocumentNames } from "../src/document-names.ts";
import {
  checkCodesTable,
  checkFieldsTable,
  checkLayersTable,
  checkPackagesTable,
  checkPagesTable,
  checkSessionsTable,
} from "../src/document-tables.ts";
import { report } from "../src/finding.ts";
import { git, manifestOf } from "./fixture-workspace.ts";
import { temporaryFolder, writeFiles } from "./temporary-folder.ts";

/** A workspace of two packages with a document: what these checks read of one, and no more. */
async function withDocument(
  context: TestContext,
  path: string,
  text: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const root = await temporaryFolder(context);
  await writeFiles(root, {
    "package.json": { workspaces: ["packages/*", "apps/*"], scripts: { layers: "depcruise packages" } },
    "apps/README.md": "# Apps\n",
    "packages/text/package.json": manifestOf("text"),
    "packages/notes/package.json": manifestOf("notes"),
    [path]: text,
    ...changes,
  });
  await git(root, "init", "--quiet");
  return root;
}

describe.concurrent("checkDocumentNames", () => {
  const source = {
    "packages/text/src/window.ts":
      "/** A. */\nexport function fitWindow(max_bytes: number): number {\n  return max_bytes;\n}\n",
  };

  it("passes what is there, notes and words of a person, and what is no name", async (context) => {
    const names = [
      "`packages/text/src/window.ts`, `window.ts`, `src/window.ts`, `packages/`",
      "`fitWindow`, `fitWindow(maxed)`, `max_bytes`, `{ max_bytes }`, `npm run layers`",
      "`@project/decisions.md`, `todo.md`, `CLAUDE.md`, `**`, `pending`, `error: <code>: …`",
    ];
    const root = await withDocument(context, "docs/a.md", names.join("\n"), source);
    expect(report(await checkDocumentNames(root))).toEqual([]);
  });

  it("fails on what is not there", async (context) => {
    const wrong = {
      "packages/text/src/gone.ts": "names packages/text/src/gone.ts, and there is no such file or folder",
      "packages/gone/": "names packages/gone/, and there is no such file or folder",
      "gone.ts": "names gone.ts, and there is no such file or folder",
      "src/gone/": "names src/gone/, and there is no such file or folder",
      fitWindows: "names fitWindows, which no source does",
      "fitWidth(text)": "names fitWidth, which no source does",
      more_bytes: "names more_bytes, which no source does",
      $NOTESOUP_HOUSE: "names NOTESOUP_HOUSE, which no source does",
      "npm run layer": "calls npm run layer, and no package.json has that script",
      "npm test": "calls npm run test, and no package.json has that script",
    };
    const text = Object.keys(wrong).map((name) => `It is in \`${name}\`.\n`);
    const root = await withDocument(context, "docs/a.md", text.join(""), source);
    expect(report(await checkDocumentNames(root))).toEqual(Object.values(wrong).map((what) => `docs/a.md: ${what}`));
  });

  it("looks for a script in what is to be typed, and for a file of a README in its package alone", async (context) => {
    const root = await withDocument(
      context,
      "packages/notes/README.md",
      "`window.ts`\n\n```sh\nnpm run dance\n```\n",
      source,
    );
    expect(report(await checkDocumentNames(root))).toEqual([
      "packages/notes/README.md: names window.ts, and there is no such file or folder",
      "packages/notes/README.md: calls npm run dance, and no package.json has that script",
    ]);
  });

  it("does not count a name that only a test knows", async (context) => {
    const root = await withDocument(context, "docs/a.md", "`fitWindow`", {
      "packages/text/test/a.test.ts": "fitWindow;",
    });
    expect(report(await checkDocumentNames(root))).toEqual(["docs/a.md: names fitWindow, which no source does"]);
  });
});

describe.concurrent("checkDocumentLinks", () => {
  it("passes links to files, headings, pictures and elsewhere, and fails on others", async (context) => {
    const root = await withDocument(
      context,
      "docs/a.md",
      "# One: two `three`!\n\n[a](b.md) [b](#one-two-three) [c](../apps/README.md#apps) ![d](d.svg) [e](https://example.org/x)\n\n| a |\n| --- |\n| [f](b.md#gone) |\n",
      { "docs/b.md": "# B\n", "docs/d.svg": "<svg/>" },
    );
    expect(report(await checkDocumentLinks(root))).toEqual(["docs/a.md: links to b.md#gone, which is not there"]);
    const broken = await withDocument(context, "docs/a.md", "[a](b.md) [b](#gone) ![d](d.svg)");
    expect(report(await checkDocumentLinks(broken))).toEqual(
      ["b.md", "#gone", "d.svg"].map((link) => `docs/a.md: links to ${link}, which is not there`),
    );
  });
});

describe.concurrent("the tables of documents", () => {
  const layers = (rows: string): string => `# A\n\n| package | may import |\n| --- | --- |\n${rows}`;

  it("layers: are those of the lint", async (context) => {
    const path = "docs/architecture.md";
    const right = await withDocument(context, path, layers("| `text` | nothing |\n| `notes` | `text` |\n"));
    expect(report(await checkLayersTable(right))).toEqual([]);
    const wrong = await withDocument(context, path, layers("| `text` | `notes` |\n| `gone` | nothing |\n"));
    expect(report(await checkLayersTable(wrong))).toEqual([
      `${path}: has a row packages/gone, which is not so`,
      `${path}: lacks a row packages/notes`,
      `${path}: has in the row of packages/text packages/notes, which is not so`,
    ]);
    const less = await withDocument(context, path, layers("| `text`, `notes` | nothing |\n"));
    expect(report(await checkLayersTable(less))).toEqual([`${path}: lacks in the row of packages/notes packages/text`]);
    expect(report(await checkLayersTable(await withDocument(context, "README.md", "")))).toEqual([
      `${path}: has no table with the columns package, may import`,
    ]);
  });

  it("layers: any package is every one, and an app is named by its folder", async (context) => {
    const app = { "apps/pi/package.json": manifestOf("pi"), "packages/text/package.json": manifestOf("text") };
    const rows = "| `text` | nothing |\n| `notes` | `text` |\n| `apps/pi` | any package, no app |\n";
    expect(
      report(await checkLayersTable(await withDocument(context, "docs/architecture.md", layers(rows), app))),
    ).toEqual([]);
  });

  it("packages: each published one has a row with its README", async (context) => {
    const rows =
      "| [`@notesoup/text`](packages/text/README.md) | a |\n| [`@notesoup/gone`](packages/gone/README.md) | b |\n";
    const root = await withDocument(context, "README.md", `| package | what it is |\n| --- | --- |\n${rows}`);
    expect(report(await checkPackagesTable(root))).toEqual([
      "README.md: has a row [`@notesoup/gone`](packages/gone/README.md), which is not so",
      "README.md: lacks a row [`@notesoup/notes`](packages/notes/README.md)",
    ]);
  });

  it("pages: each is linked to", async (context) => {
    const root = await withDocument(context, "docs/README.md", "[a](a.md) [c](c.md)", {
      "docs/a.md": "",
      "docs/b.md": "",
    });
    expect(report(await checkPagesTable(root))).toEqual([
      "docs/README.md: has a link docs/c.md, which is not so",
      "docs/README.md: lacks a link docs/b.md",
    ]);
  });

  it("codes: are those of the protocol", async (context) => {
    const table = "| code | when |\n| --- | --- |\n| `io` | a |\n| `gone` | b |\n";
    const root = await withDocument(context, "docs/protocol.md", table);
    expect(report(await checkCodesTable(root, ["io", "locked"]))).toEqual([
      "docs/protocol.md: has the code gone, which is not so",
      "docs/protocol.md: lacks the code locked",
    ]);
  });

  it("fields: are those of the schemas, at every depth", async (context) => {
    const row = { properties: { line: {}, text: { oneOf: [{ type: "null" }, { properties: { from: {} } }] } } };
    const tool = {
      name: "find",
      parameters: { properties: { query: {} } },
      success: { properties: { rows: { items: row } } },
    };
    const table = (fields: string): string =>
      `| tool | where | fields |\n| --- | --- | --- |\n| \`find\` | parameters | \`query\` |\n| \`find\` | result | \`rows\` |\n${fields}`;
    const right = table("| `find` | `rows` | `line`, `text` |\n| `find` | `rows.text` | `from` |\n");
    expect(report(await checkFieldsTable(await withDocument(context, "docs/protocol.md", right), [tool]))).toEqual([]);
    const wrong = table("| `find` | `rows` | `line`, `body` |\n");
    expect(report(await checkFieldsTable(await withDocument(context, "docs/protocol.md", wrong), [tool]))).toEqual([
      "docs/protocol.md: has the field find rows: body, which is not so",
      "docs/protocol.md: lacks the field find rows: text",
      "docs/protocol.md: lacks the field find rows.text: from",
    ]);
  });

  it("sessions: lie where each harness keeps them", async (context) => {
    const table = "| harness | sessions lie in |\n| --- | --- |\n| `pi` | `~/.pi/sessions` |\n";
    const root = await withDocument(context, "docs/sessions.md", table);
    expect(report(await checkSessionsTable(root, { pi: ["~/.pi/sessions"] }))).toEqual([]);
    expect(report(await checkSessionsTable(root, { pi: ["~/.pi/agent/sessions"] }))).toEqual([
      "docs/sessions.md: has the row pi in ~/.pi/sessions, which is not so",
      "docs/sessions.md: lacks the row pi in ~/.pi/agent/sessions",
    ]);
  });
});
