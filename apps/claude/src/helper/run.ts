import { jsonRecord } from "../transport/json-sequence.ts";
import { answer } from "./answer.ts";
import { serve } from "./serve.ts";
import { textOf } from "./text-of.ts";

/**
 * Serves as long as the host lives, or answers the one request that stands on standard input.
 *
 * Standard output is the transport. What anything else prints there goes to standard error.
 */
export async function run(how: "serve" | "once"): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const say = (value: unknown): boolean => write(jsonRecord(value));
  if (how === "serve") await serve(say);
  else say(await answer(await textOf(process.stdin)));
}
