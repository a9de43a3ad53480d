import type { Finding } from "./finding.ts";
import { mayImport } from "./layers.ts";
import { type Document, documentAt, documents, spansIn, type Table } from "./markdown.ts";
import { publicMembers, workspaceMembers } from "./workspace.ts";

/** A tool's schemas, as far as a table of its fields needs them. */
export interface DescribedTool {
  readonly name: string;
  readonly parameters: unknown;
  readonly success: unknown;
}

/** The table of layers in the architecture says of each package and app what it may import, as the table of the lint does. */
export async function checkLayersTable(workspaceRoot: string): Promise<readonly Finding[]> {
  const where = "docs/architecture.md";
  const table = tableWith(await documentAt(workspaceRoot, where), ["package", "may import"]);
  if (table === undefined) return [{ where, what: "has no table with the columns package, may import" }];
  const folders = workspaceMembers(workspaceRoot).map(({ folder }) => folder);
  const packages = folders.filter((folder) => folder.startsWith("packages/"));
  const told = new Map(
    table.rows.flatMap(([names = "", allowed = ""]) => {
      const some = [...(allowed.includes("any package") ? packages : []), ...spansIn(allowed).map(folderOf)];
      return spansIn(names).map((name) => [folderOf(name), some] as const);
    }),
  );
  const real = folders.filter((folder) => /^(?:packages|apps)\//u.test(folder));
  const isReal = (folder: string): boolean =>
    real.includes(folder) || real.some((each) => folder.startsWith(`${each}/`));
  return [
    ...differences(where, "a row", told.keys(), real),
    ...real.flatMap((folder) => {
      const allowed = told.get(folder);
      if (allowed === undefined) return [];
      return differences(where, `in the row of ${folder}`, allowed, mayImport(folder).filter(isReal));
    }),
  ];
}

/** The tables of the architecture call a package by its name alone, an app by its folder. */
function folderOf(name: string): string {
  return name.startsWith("apps/") ? name : `packages/${name}`;
}

/** The README has a row for each published package, with a link to its README, and no other row. */
export async function checkPackagesTable(workspaceRoot: string): Promise<readonly Finding[]> {
  const where = "README.md";
  const table = tableWith(await documentAt(workspaceRoot, where), ["package", "what it is"]);
  if (table === undefined) return [{ where, what: "has no table with the columns package, what it is" }];
  const links = publicMembers(workspaceRoot).map(
    ({ folder, manifest }) => `[\`${manifest.name}\`](${folder}/README.md)`,
  );
  return differences(
    where,
    "a row",
    table.rows.map(([first = ""]) => first),
    links,
  );
}

/** The page about the documents names each of them. */
export async function checkPagesTable(workspaceRoot: string): Promise<readonly Finding[]> {
  const where = "docs/README.md";
  const { links } = await documentAt(workspaceRoot, where);
  const pages = (await documents(workspaceRoot)).map(({ path }) => path).filter((path) => path.startsWith("docs/"));
  return differences(
    where,
    "a link",
    links.filter((link) => !link.startsWith("..")).map((link) => `docs/${link}`),
    pages.filter((page) => page !== where),
  );
}

/** The page of the protocol tells every code with which an operation refuses, and no other. */
export async function checkCodesTable(workspaceRoot: string, codes: readonly string[]): Promise<readonly Finding[]> {
  const where = "docs/protocol.md";
  const table = tableWith(await documentAt(workspaceRoot, where), ["code", "when"]);
  return differences(where, "the code", table?.rows.flatMap(([first = ""]) => spansIn(first)) ?? [], codes);
}

/** The page of the protocol tells every field of every tool, at every depth, and no other. */
export async function checkFieldsTable(
  workspaceRoot: string,
  tools: readonly DescribedTool[],
): Promise<readonly Finding[]> {
  const where = "docs/protocol.md";
  const table = tableWith(await documentAt(workspaceRoot, where), ["tool", "where", "fields"]);
  const told = table?.rows.flatMap(([tool = "", place = "", fields = ""]) =>
    spansIn(fields).map((field) => `${spansIn(tool).join()} ${place.replaceAll("`", "")}: ${field}`),
  );
  const real = tools.flatMap(({ name, parameters, success }) => [
    ...fieldsOf(parameters, "parameters").map((field) => `${name} ${field}`),
    ...fieldsOf(success, "result").map((field) => `${name} ${field}`),
  ]);
  return differences(where, "the field", told ?? [], real);
}

/** Each field of a schema behind its place: `result: files`, `files: address`, `files.matches: line`. */
function fieldsOf(schema: unknown, place: string): readonly string[] {
  return [
    ...new Set(
      objectsIn(schema).flatMap(({ properties }) =>
        Object.entries(properties).flatMap(([name, value]) => {
          const isTop = place === "parameters" || place === "result";
          return [`${place}: ${name}`, ...fieldsOf(value, isTop ? name : `${place}.${name}`)];
        }),
      ),
    ),
  ];
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The objects that a value may be, or whose list it may be. */
function objectsIn(schema: unknown): readonly ObjectSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("properties" in schema) return [schema as ObjectSchema];
  if ("items" in schema) return objectsIn(schema.items);
  if ("oneOf" in schema) return (schema.oneOf as readonly unknown[]).flatMap(objectsIn);
  return [];
}

/** The page about sessions tells where each harness keeps them. */
export async function checkSessionsTable(
  workspaceRoot: string,
  folders: Readonly<Record<string, readonly string[] | undefined>>,
): Promise<readonly Finding[]> {
  const where = "docs/sessions.md";
  const table = tableWith(await documentAt(workspaceRoot, where), ["harness", "sessions lie in"]);
  const told = table?.rows.map(([harness = "", folder = ""]) => `${spansIn(harness).join()} in ${spansIn(folder)[0]}`);
  const real = Object.entries(folders).flatMap(([harness, paths = []]) => paths.map((path) => `${harness} in ${path}`));
  return differences(where, "the row", told ?? [], real);
}

function tableWith({ tables }: Document, columns: readonly string[]): Table | undefined {
  return tables.find((table) => columns.every((column, index) => table.columns[index] === column));
}

/** What is told and not so, and what is so and not told. */
function differences(
  where: string,
  thing: string,
  told: Iterable<string>,
  real: readonly string[],
): readonly Finding[] {
  const all = [...told];
  return [
    ...all
      .filter((each) => !real.includes(each))
      .map((each) => ({ where, what: `has ${thing} ${each}, which is not so` })),
    ...real.filter((each) => !all.includes(each)).map((each) => ({ where, what: `lacks ${thing} ${each}` })),
  ];
}
