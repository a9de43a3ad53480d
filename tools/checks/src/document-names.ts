import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding } from "./finding.ts";
import { type Document, documents } from "./markdown.ts";
import { readJson, trackedFiles } from "./workspace.ts";

/**
 * What a document names between backticks is there: each path of the workspace, each file of its
 * sources, each name of the code (one with a capital or an underscore in it), and each script of npm.
 * A name is looked for as a whole word of the sources, so that renaming it there fails here.
 */
export async function checkDocumentNames(workspaceRoot: string): Promise<readonly Finding[]> {
  const files = await trackedFiles(workspaceRoot);
  const words = wordsOf(workspaceRoot, files);
  return (await documents(workspaceRoot)).flatMap((document) =>
    [...pathsOf(document, files), ...namesOf(document, words), ...scriptsOf(workspaceRoot, document)].map((what) => ({
      where: document.path,
      what,
    })),
  );
}

/** A path from the root of the workspace. */
const ROOTED = /^(?:packages|apps|tools|docs|examples|\.ci|\.changeset)\/[\w./@-]*$/u;
/** A path in a package, or a file of the sources by its name. */
const IN_A_PACKAGE = /^(?:(?:src|test)\/[\w./-]*|[\w-][\w./-]*\.m?ts)$/u;

/** A package's README speaks of its own files, any other document of those of some package. */
function pathsOf({ path, spans }: Document, files: readonly string[]): readonly string[] {
  const own = path.endsWith("/README.md") && !path.startsWith("docs/") ? `${dirname(path)}/` : "";
  const isThere = (span: string): boolean => {
    if (ROOTED.test(span)) return files.some((file) => file === span || file.startsWith(folder(span)));
    const of = files.filter((file) => file.startsWith(own));
    return of.some((file) => file.endsWith(`/${span}`) || `/${file}`.includes(`/${folder(span)}`));
  };
  return spans
    .filter((span) => (ROOTED.test(span) || IN_A_PACKAGE.test(span)) && !isThere(span))
    .map((span) => `names ${span}, and there is no such file or folder`);
}

function folder(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

/** A name alone, a call, a list of fields, or names behind dots. */
const NAMES = /^(?:\$?[\w.]+|[\w.]+\(.*\)|\{[\w\s,?.…]*\})$/su;
/** A file, by the ending of its name: notes, and files of hosts, are none of the workspace. */
const FILE = /\.(?:md|jsonl?|ya?ml|zstd)$/u;
/** What hosts alone call so, and documents speak of. */
const WORDS_OF_HOSTS: ReadonlySet<string> = new Set(["disableAllHooks"]);
/** What only code calls so: with a capital behind the first letter, or with an underscore. */
const NAME_OF_CODE = /^(?=.*[A-Z_])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/u;

function namesOf({ spans }: Document, words: ReadonlySet<string>): readonly string[] {
  const names = spans
    .filter((span) => NAMES.test(span) && !FILE.test(span))
    .flatMap((span) => span.match(/[A-Za-z]\w*/gu) ?? []);
  return names
    .filter((name) => NAME_OF_CODE.test(name) && !words.has(name) && !WORDS_OF_HOSTS.has(name))
    .map((name) => `names ${name}, which no source does`);
}

/** Every word of the sources and of the manifests. Tests are none: a name that only they know is gone. */
function wordsOf(workspaceRoot: string, files: readonly string[]): ReadonlySet<string> {
  const sources = files.filter(
    (file) => /\.(?:m?ts|mjs|json)$/u.test(file) && !/(?:^|\/)(?:test|fixtures)\//u.test(file),
  );
  return new Set(
    sources.flatMap((file) => readFileSync(join(workspaceRoot, file), "utf8").match(/[A-Za-z]\w*/gu) ?? []),
  );
}

/** Scripts that npm calls without `run`. */
const SHORT_SCRIPTS = /\bnpm (?:run (?:-s )?(?<script>[\w:-]+)|(?<short>start|test))\b/gu;

function scriptsOf(workspaceRoot: string, { path, spans, blocks }: Document): readonly string[] {
  const manifests = ["package.json", join(dirname(path), "package.json")].filter((file) =>
    existsSync(join(workspaceRoot, file)),
  );
  const known = manifests.flatMap((file) => {
    const { scripts = {} } = readJson(join(workspaceRoot, file)) as { readonly scripts?: Record<string, string> };
    return Object.keys(scripts);
  });
  const texts = [...spans, ...blocks.filter(({ language }) => language === "sh").map(({ text }) => text)];
  const called = texts.flatMap((text) =>
    Array.from(text.matchAll(SHORT_SCRIPTS), ({ groups }) => groups?.["script"] ?? groups?.["short"] ?? ""),
  );
  return called
    .filter((script) => !known.includes(script))
    .map((script) => `calls npm run ${script}, and no package.json has that script`);
}
