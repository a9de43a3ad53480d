import { asObject, asText, type JsonObject } from "../../json.ts";
import { blockText, contentBlocks } from "./content.ts";

/** Units at the end of a text in which a shell says where the whole output is: a path has at most 4096 bytes. */
const TAIL_UNITS = 8192;
/** Pi's `tools/bash.js`: the line on a cut output, and behind it the one on how the command failed. */
const FAILED_COMMAND = /\n\n\[Showing [^\n]*\. Full output: (?<path>[^\n]+)\]\n\nCommand [^\n]*$/u;

/** Where Pi keeps the whole output of a call, if it has cut it. */
export function fullOutputPathOf({ details, isError, content }: JsonObject): string | undefined {
  const path = asText(asObject(details)?.fullOutputPath);
  if (path !== undefined) return path === "" ? undefined : path;
  // A command that was aborted or timed out has thrown, and so lost its details.
  return isError === true ? pathInText(content) : undefined;
}

function pathInText(content: unknown): string | undefined {
  for (const block of contentBlocks(content)) {
    const path = FAILED_COMMAND.exec(blockText(block)?.slice(-TAIL_UNITS) ?? "")?.groups?.path;
    // A part of a text keeps the whole one in memory: a copy of it does not.
    if (path !== undefined) return structuredClone(path);
  }
  return undefined;
}
