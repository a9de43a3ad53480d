import type { Context } from "@deepseek-ai/cordis";
import { oneLine } from "@notesoup/text";
import { say } from "./say.ts";

/**
 * Starts a row and keeps what goes wrong in it: the host ends where one of its rows fails. The parts
 * that need the host's packages are loaded here, and not with the row, so that a package that is
 * missing can be named.
 *
 * @returns whether it was started
 */
export async function loadRow(row: string, ctx: object, start: (host: Context) => Promise<void>): Promise<boolean> {
  try {
    await start(ctx as Context);
    return true;
  } catch (error) {
    say(row, `not loaded: ${reasonOf(error)}`);
    return false;
  }
}

function reasonOf(error: unknown): string {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  const missing = missingPackage(error, message);
  if (missing === undefined) return message;
  return `the host does not supply ${missing}; add it to the profile, or use a version of DeepSeek Harness that has it (0.1.0-rc.8 or newer)`;
}

/** The package that could not be found, or that lacks what is imported of it. */
function missingPackage(error: unknown, message: string): string | undefined {
  const isMissing =
    error instanceof SyntaxError ||
    (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND");
  return isMissing ? /@deepseek-ai\/[\w-]+/u.exec(message)?.[0] : undefined;
}
