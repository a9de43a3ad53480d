import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, type Token, type Tokens, walkTokens } from "marked";
import { trackedFiles } from "./workspace.ts";

/** What the checks read of a document. */
export interface Document {
  /** Relative to the root of the workspace. */
  readonly path: string;
  /** What stands between backticks, in text and in tables. */
  readonly spans: readonly string[];
  /** The blocks of code, and how each calls its language. */
  readonly blocks: readonly { readonly language: string; readonly text: string }[];
  /** Where its links and pictures lead. */
  readonly links: readonly string[];
  readonly headings: readonly string[];
  readonly tables: readonly Table[];
}

/** A table below a heading. */
export interface Table {
  /** The heading above it; empty where there is none. */
  readonly heading: string;
  readonly columns: readonly string[];
  /** The cells as they are written, backticks and links included. */
  readonly rows: readonly (readonly string[])[];
}

/** Written by hosts or for a release: they are no documents of the workspace. */
const LEFT_OUT = /(?:^|\/)(?:CHANGELOG\.md$|fixtures\/|\.changeset\/)/u;

/** The documents of a workspace. */
export async function documents(workspaceRoot: string): Promise<readonly Document[]> {
  const paths = (await trackedFiles(workspaceRoot)).filter((path) => path.endsWith(".md") && !LEFT_OUT.test(path));
  return paths.map((path) => parse(path, readFileSync(join(workspaceRoot, path), "utf8")));
}

/** One of them, by its path; one without anything where it is not there. */
export async function documentAt(workspaceRoot: string, path: string): Promise<Document> {
  return (await documents(workspaceRoot)).find((document) => document.path === path) ?? parse(path, "");
}

function parse(path: string, text: string): Document {
  const tokens = lexer(text);
  const spans: string[] = [];
  const blocks: Document["blocks"][number][] = [];
  const links: string[] = [];
  void walkTokens(tokens, (token: Token) => {
    if (token.type === "codespan") spans.push((token as Tokens.Codespan).text);
    if (token.type === "code")
      blocks.push({ language: (token as Tokens.Code).lang ?? "", text: (token as Tokens.Code).text });
    if (token.type === "link" || token.type === "image") links.push((token as Tokens.Link).href);
  });
  const headings: string[] = [];
  const tables: Table[] = [];
  for (const token of tokens) {
    if (token.type === "heading") headings.push((token as Tokens.Heading).text);
    if (token.type === "table") tables.push(tableOf(token as Tokens.Table, headings.at(-1) ?? ""));
  }
  return { path, spans, blocks, links, headings, tables };
}

function tableOf({ header, rows }: Tokens.Table, heading: string): Table {
  return {
    heading,
    columns: header.map(({ text }) => text),
    rows: rows.map((row) => row.map(({ text }) => text)),
  };
}

/** What stands between backticks in a cell. */
export function spansIn(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/gu), ([, span = ""]) => span);
}
