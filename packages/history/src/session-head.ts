import { closeSync, openSync, readSync } from "node:fs";
import { HistoryError } from "./error.ts";
import { recordsIn } from "./record-line.ts";
import { ZstdBytes } from "./session-bytes.ts";
import type { SessionHeader, Wire } from "./wire/wire.ts";

/** So much of a file is looked at for what it says of itself. */
const HEAD_BYTES = 64 * 1024;

/** What a session's file says of itself at its very beginning; nothing where that cannot be read. */
export async function sessionHead(path: string, wire: Wire): Promise<SessionHeader> {
  try {
    const reading = wire.begin();
    for (const line of (await beginning(path)).toString("utf8").split("\n")) {
      for (const { record } of recordsIn(line).records) reading.take(record);
      if (reading.header.cwd !== undefined) break;
    }
    return reading.header;
  } catch (error) {
    if (error instanceof HistoryError || (error instanceof Error && "code" in error)) return {};
    throw error;
  }
}

async function beginning(path: string): Promise<Buffer> {
  if (path.endsWith(".zstd")) {
    for await (const chunk of new ZstdBytes(path).chunks(0)) return chunk.subarray(0, HEAD_BYTES);
    return Buffer.alloc(0);
  }
  const descriptor = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
