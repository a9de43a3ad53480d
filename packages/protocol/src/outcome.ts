import type { Refusal, RefusalCode } from "./refusal.ts";

/** What an operation comes to, inside the process or between our own two: never the wire of a host. */
export type Outcome<Success> =
  | { readonly ok: true; readonly data: Success }
  | { readonly ok: false; readonly error: { readonly code: RefusalCode; readonly message: string } };

/** The wire form of an outcome: the success itself, or a flat refusal. Tell them apart with `"error" in result`. */
export type Result<Success> = Success | Refusal;

/** The wire form of an outcome. */
export function resultOf<Success>(outcome: Outcome<Success>): Result<Success> {
  return outcome.ok ? outcome.data : { error: outcome.error.message, code: outcome.error.code };
}
