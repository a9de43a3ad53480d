import { NoteError } from "../src/error.ts";
import { advance, type GlobAlternative, isAccepted, parseGlob, startState } from "../src/glob.ts";

/** Whether one alternative of a glob matches a path; a counter takes the steps of it. */
export function accepts(alternative: GlobAlternative, path: string, counter?: { steps: number }): boolean {
  let state = startState(alternative);
  for (const component of path.split("/")) state = advance(alternative, state, component, counter);
  return isAccepted(alternative, state);
}

/** Whether a glob matches a path. */
export function matches(glob: string, path: string): boolean {
  return parseGlob(glob).some((alternative) => accepts(alternative, path));
}

/** The refusal, or `undefined` where there is none; any other error is thrown on. */
export function globRefusal(glob: string): string | undefined {
  try {
    parseGlob(glob);
    return undefined;
  } catch (error) {
    if (error instanceof NoteError && error.code === "invalid_glob") return error.message;
    throw error;
  }
}
