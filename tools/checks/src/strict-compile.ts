/**
 * The compiler of a strict consumer, as a program of its own: typebox alone keeps it busy for ten
 * seconds, in which a test runner could do nothing else.
 *
 *     node strict-compile.ts FOLDER '{ "types": [], "thirdParties": ["yaml"] }'
 *
 * It compiles `consumer.ts` of a folder, prints what is wrong, and ends with 1 where anything is.
 */
import { join } from "node:path";
import ts from "typescript";

/** What is compiled beside the consumer and our own packages, and against what. */
export interface StrictCompile {
  /** Which packages of types are there, such as `node`. */
  readonly types: readonly string[];
  /** The packages of others whose declarations are checked too; those of all other packages are only read. */
  readonly thirdParties: readonly string[];
}

function compile(folder: string, { types, thirdParties }: StrictCompile): string {
  const program = ts.createProgram([join(folder, "consumer.ts")], {
    target: ts.ScriptTarget.ES2024,
    lib: ["lib.es2024.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    types: [...types],
    typeRoots: [join(folder, "node_modules/@types")],
  });
  const isToBeChecked = (file: ts.SourceFile): boolean => {
    if (program.isSourceFileDefaultLibrary(file)) return false;
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.fileName) ?? [];
    return name === undefined || name.startsWith("@notesoup/") || thirdParties.includes(name);
  };
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program
      .getSourceFiles()
      .flatMap((file) =>
        isToBeChecked(file) ? [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)] : [],
      ),
  ];
  return ts.formatDiagnostics(diagnostics, {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  });
}

if (import.meta.main) {
  const [folder = ".", request = "{}"] = process.argv.slice(2);
  const problems = compile(folder, JSON.parse(request) as StrictCompile);
  process.stdout.write(problems);
  process.exitCode = problems === "" ? 0 : 1;
}
