import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Finding } from "./finding.ts";
import { type Document, documents } from "./markdown.ts";

/** Every link of a document to a file leads to one, and every link to a heading to one of that name. */
export async function checkDocumentLinks(workspaceRoot: string): Promise<readonly Finding[]> {
  const all = await documents(workspaceRoot);
  return all.flatMap((document) =>
    document.links
      .filter((link) => !/^[a-z][a-z+.-]*:/iu.test(link) && !leads(workspaceRoot, document, link, all))
      .map((link) => ({ where: document.path, what: `links to ${link}, which is not there` })),
  );
}

function leads(workspaceRoot: string, { path }: Document, link: string, all: readonly Document[]): boolean {
  const [file = "", anchor] = link.split("#", 2);
  const target = file === "" ? path : normalize(join(dirname(path), file));
  if (anchor === undefined) return existsSync(join(workspaceRoot, target));
  const headings = all.find((document) => document.path === target)?.headings ?? [];
  return headings.some((heading) => anchorOf(heading) === anchor);
}

/** The name by which a heading is linked to: its words in small letters, joined. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/gu, "-");
}
