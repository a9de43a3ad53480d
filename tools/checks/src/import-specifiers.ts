import ts from "typescript";

/** One way in which a file reaches out of itself. */
export interface ImportSpecifier {
  /** What stands between the quotes; `undefined` where it is computed, and cannot be known. */
  readonly specifier: string | undefined;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Every module that a file names: imports and re-exports, type-only ones too, `import()` in code and in
 * types, `require`, `import.meta.resolve`, augmented modules and triple-slash references.
 */
export function importSpecifiers(fileName: string, text: string): readonly ImportSpecifier[] {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const found: ImportSpecifier[] = [];
  const add = (node: ts.Node, specifier: string | undefined): void => {
    found.push({ specifier, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 });
  };
  const visit = (node: ts.Node): void => {
    const named = moduleNamedBy(node);
    if (named !== undefined) add(node, ts.isStringLiteralLike(named) ? named.text : undefined);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { fileName: specifier, pos } of [...file.referencedFiles, ...file.typeReferenceDirectives]) {
    found.push({ specifier, line: file.getLineAndCharacterOfPosition(pos).line + 1 });
  }
  return found;
}

/** The expression that names a module, where a node has one. */
function moduleNamedBy(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) return node.name;
  if (ts.isCallExpression(node) && callsALoader(node.expression)) return node.arguments[0] ?? node;
  return undefined;
}

function callsALoader(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  const name = callee.getText();
  return name === "require" || name === "require.resolve" || name === "import.meta.resolve";
}

/** The lines, counted from 1, on which code (comments do not count) reads the environment of the process. */
export function environmentReads(fileName: string, text: string): readonly number[] {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (readsEnvironment(node)) lines.push(file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}

/** `process.env`, `process["env"]`, `globalThis.process.env`, `const { env } = process`, `import { env } from "node:process"`. */
function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === "env" && isProcess(node.expression);
  if (ts.isElementAccessExpression(node)) {
    return ts.isStringLiteralLike(node.argumentExpression)
      ? node.argumentExpression.text === "env" && isProcess(node.expression)
      : false;
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    return (
      node.initializer !== undefined &&
      isProcess(node.initializer) &&
      node.name.elements.some((element) => (element.propertyName ?? element.name).getText() === "env")
    );
  }
  if (ts.isImportSpecifier(node)) {
    const { moduleSpecifier } = node.parent.parent.parent as ts.ImportDeclaration;
    const from = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : "";
    return (from === "node:process" || from === "process") && (node.propertyName ?? node.name).text === "env";
  }
  return false;
}

function isProcess(expression: ts.Expression): boolean {
  return /^(globalThis\.|global\.)?process$/.test(expression.getText());
}
