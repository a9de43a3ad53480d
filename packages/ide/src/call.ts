import type { EditBatch } from "@notesoup/ide-registry";
import type { Scope } from "./scope.ts";

/** One call of a tool. */
export interface Call {
  /** The folder that relative paths are of. */
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
  /** The script or the message that the call belongs to. */
  readonly scope: Scope;
}

/** How an edit looks at files: within a message, at the text from before the message. */
export function forEdit({ scope, signal }: Call): {
  readonly batch: EditBatch;
  readonly signal: AbortSignal | undefined;
} {
  return { batch: scope.batch, signal };
}
