import type { NotesIdentity } from "@notesoup/notes";
import { asOwn } from "@notesoup/notes/maintenance";
import { oneLine } from "@notesoup/text";
import { type DoctorFinding, finding } from "./finding.ts";

// A link's target, a name in backticks, or a word, that ends in `.md`.
const REFERENCE = /\]\((?<link>[^)\s]+\.md)\)|`(?<code>[^`]+\.md)`|(?<word>[^\s`()[\]<>|"',;:]+\.md)(?![\w-])/u;

/** The lines of a map that name a note which is not there, or crumpled. A line is about the first note that it names. */
export function deadMapLines(
  map: { readonly address: string; readonly body: string },
  isLive: (address: string) => boolean,
  identity: NotesIdentity,
): readonly DoctorFinding[] {
  return map.body.split("\n").flatMap((line, index) => {
    const { link, code, word } = REFERENCE.exec(line)?.groups ?? {};
    const named = link ?? code ?? word;
    if (named === undefined) return [];
    const candidates = meanings(named, map.address, identity);
    if (candidates.length === 0 || candidates.some(isLive)) return [];
    const where = `${map.address}:${index + 1}`;
    return [
      finding(
        "map_line",
        oneLine(where),
        `it names ${oneLine(named)}, and no live note is there; correct the line or take it out`,
      ),
    ];
  });
}

/** The addresses that a name in a map can mean: from the notebook's root, or from the map's own folder. None for what is no address. */
function meanings(named: string, map: string, identity: NotesIdentity): readonly string[] {
  if (named.includes("://") || named.startsWith("/") || named.startsWith("~") || named.startsWith("../")) return [];
  const path = named.startsWith("./") ? named.slice(2) : named;
  if (path.startsWith("@")) return canonical(path, identity);
  const folder = map.slice(0, map.lastIndexOf("/") + 1);
  const notebook = /^@(?:project|human|self|model)\/|^@[a-z]+\/[^/]+\//u.exec(map)?.[0] ?? "";
  return [...new Set([notebook + path, folder + path])].flatMap((address) => canonical(address, identity));
}

function canonical(address: string, identity: NotesIdentity): readonly string[] {
  try {
    return asOwn([address], identity)?.notes.map(({ outer }) => outer) ?? [];
  } catch {
    // No address at all: a word that only looks like one.
    return [];
  }
}
