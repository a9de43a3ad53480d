import { Refused } from "./refused.ts";

/** What a note can hold: there is no use in reading more. */
const MOST_BYTES = 1_048_576;

/**
 * `-` stands for what comes on standard input; any other value for itself.
 *
 * @throws Refused `empty_input`, `too_large`, `not_utf8`
 */
export async function textOf(value: string): Promise<string> {
  if (value === "-") return standardInput();
  // Node has put it where bytes of an argument are no UTF-8, and does not tell.
  if (value.includes("\ufffd"))
    throw new Refused(
      "not_utf8",
      "an argument is not UTF-8, or holds U+FFFD; hand such text in on standard input with -",
    );
  return value;
}

/**
 * All that comes on standard input. That nothing comes is refused: where a program before the pipe
 * has failed, or a folder is read, a note would be emptied.
 *
 * @throws Refused `empty_input`, `too_large`, `not_utf8`
 */
async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write("Type the text; Ctrl-D on a line of its own ends it.\n");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new Refused(
        "too_large",
        `standard input has more than ${MOST_BYTES} bytes, which no note can hold; split it`,
      );
  }
  if (bytes === 0)
    throw new Refused("empty_input", 'nothing came on standard input; for an empty text give "" in place of -');
  const text = decoded(Buffer.concat(chunks));
  if (text === undefined)
    throw new Refused("not_utf8", "standard input is not UTF-8; convert it, for instance with iconv");
  return text;
}

/** The text of bytes of UTF-8, a byte order mark included; `undefined` where they are none. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
