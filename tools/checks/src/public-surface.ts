import { join, relative } from "node:path";
import ts from "typescript";
import type { Finding } from "./finding.ts";
import { publicMembers } from "./workspace.ts";

/**
 * What a package exports is listed by name, so that its surface is read in one file and grows only on
 * purpose, and each name that is listed has a doc comment where it is declared.
 */
export function checkPublicSurface(workspaceRoot: string): readonly Finding[] {
  const entries = publicMembers(workspaceRoot).flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports ?? {}).flatMap((target) => {
      const source = typeof target === "string" ? undefined : target["@notesoup/source"];
      return source === undefined ? [] : [join(workspaceRoot, folder, source)];
    }),
  );
  // Doc comments are found without a library and without types of others, which halves the time.
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    customConditions: ["@notesoup/source"],
    allowImportingTsExtensions: true,
    noEmit: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  return entries.flatMap((entry) => {
    const file = program.getSourceFile(entry);
    const where = relative(workspaceRoot, entry);
    if (file === undefined) return [{ where, what: "is named in exports and does not exist" }];
    const wildcards = file.statements
      .filter((statement) => ts.isExportDeclaration(statement) && !namesExports(statement))
      .map((statement) => ({ where, what: `${statement.getText(file)} lists no names` }));
    const module = checker.getSymbolAtLocation(file);
    const exported = module === undefined ? [] : checker.getExportsOfModule(module);
    const undocumented = exported
      .filter((symbol) => !isDocumented(symbol, checker))
      .map((symbol) => ({ where, what: `exports ${symbol.name}, which has no doc comment` }));
    return [...wildcards, ...undocumented];
  });
}

function namesExports({ exportClause }: ts.ExportDeclaration): boolean {
  return exportClause !== undefined && ts.isNamedExports(exportClause);
}

function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return declared.getDocumentationComment(checker).length > 0;
}
