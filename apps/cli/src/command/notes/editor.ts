import { spawn } from "node:child_process";

/** The person's editor, as a line for a shell: `$VISUAL`, else `$EDITOR`. */
export function editorOf(env: NodeJS.ProcessEnv): string | undefined {
  return [env["VISUAL"], env["EDITOR"]].find((value) => value !== undefined && value.trim() !== "");
}

/**
 * Opens a file in the person's editor, and waits until that ends. Ctrl-C is the editor's meanwhile.
 *
 * @returns what went wrong, where something did
 */
export async function openInEditor(editor: string, file: string): Promise<string | undefined> {
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    // An editor may be named with arguments, `code --wait`: a shell takes it apart, as for git. Of
    // Ctrl-C, which comes to all three of us, the editor alone makes something.
    const child = spawn("/bin/sh", ["-c", `trap : INT; ${editor} "$@"`, editor, file], {
      // What an editor says is no part of our output, where that goes to a program.
      stdio: ["inherit", process.stdout.isTTY ? "inherit" : process.stderr, "inherit"],
    });
    return await new Promise((resolve) => {
      child.on("error", (error) => resolve(error.message));
      child.on("close", (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
    });
  } finally {
    process.off("SIGINT", ignore);
  }
}
