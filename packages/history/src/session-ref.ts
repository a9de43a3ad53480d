import type { Harness } from "./wire/wire.ts";

/** A session of the corpus. */
export interface SessionRef {
  readonly harness: Harness;
  readonly id: string;
  /** The canonical name: `<harness>:<id>`. */
  readonly name: string;
  /** When something was last written to it, in milliseconds since 1970. */
  readonly lastActivity: number;
  /** Where its file lies; absent for a live session that has none. */
  readonly path?: string | undefined;
}
