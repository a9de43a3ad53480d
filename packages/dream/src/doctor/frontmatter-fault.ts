import type { NoteMeta } from "@notesoup/notes";

const MEANT_AS_BLOCK = /^---\r?\n(?<block>[^]*?\n)---(?:\r?\n|$)/u;
const OUR_LINE = /^(?:origin|createdAt|updatedAt|lastAccessed|accessCount|crumpledAt):/mu;

/**
 * What is wrong with a note's frontmatter, one line; `undefined` where nothing is, and where the file
 * only begins with a ruled heading.
 *
 * @param block the block of a note that has frontmatter
 */
export function blockFault(block: string | undefined, body: string, meta: NoteMeta): string | undefined {
  if (block === undefined) {
    const meant = MEANT_AS_BLOCK.exec(body)?.groups?.["block"];
    if (meant === undefined || !OUR_LINE.test(meant)) return undefined;
    return "its first lines are meant as frontmatter and cannot be read as such, so that they are body; correct them";
  }
  const said = (key: string): string | undefined =>
    new RegExp(`^${key}:[ \\t]*(?<value>[^\\r\\n]*?)[ \\t]*$`, "mu")
      .exec(block)
      ?.groups?.["value"]?.replaceAll(/^["']|["']$/gu, "");
  const origin = said("origin");
  if (origin !== undefined && origin !== meta.origin)
    return `its origin is none of self, user and external; correct the line`;
  for (const key of ["createdAt", "updatedAt", "lastAccessed", "crumpledAt"] as const) {
    const time = said(key);
    if (time !== undefined && Number.isNaN(Date.parse(time))) return `its ${key} is no time; correct the line`;
  }
  return undefined;
}
