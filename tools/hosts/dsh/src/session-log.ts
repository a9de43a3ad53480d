import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import type { DshSandbox } from "./sandbox.ts";

/** An event of a session's log. */
export interface LogEvent {
  readonly type: string;
  readonly seq?: number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What is in a session's log. */
export interface SessionLog {
  readonly path: string;
  readonly header: LogEvent & { readonly id: string };
  /** Stream chunks are left packed, as they stand in the log. */
  readonly events: readonly LogEvent[];
}

const ZSTD_MAGIC = 0xfd2fb528;

/** The logs that dsh left in a sandbox, the oldest session first. */
export async function readSessionLogs({ dshHome }: Pick<DshSandbox, "dshHome">): Promise<SessionLog[]> {
  const found = await readdir(join(dshHome, "sessions"), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((entry) => entry.isFile() && /^session\.jsonl(?:\.zstd)?$/u.test(entry.name));
  const logs = await Promise.all(files.map((entry) => readSessionLog(join(entry.parentPath, entry.name))));
  return logs.toSorted((a, b) => Number(a.header["createdAt"]) - Number(b.header["createdAt"]));
}

/** @throws Error where a line is cut or is no JSON */
export async function readSessionLog(path: string): Promise<SessionLog> {
  const bytes = await readFile(path);
  const text = path.endsWith(".zstd") ? decompressed(bytes) : bytes.toString();
  const [header, ...events] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as LogEvent);
  if (header?.type !== "session") throw new Error(`${path} does not begin with a session's header.`);
  return { path, header: header as SessionLog["header"], events };
}

/** A frame for each batch that was written, of which `zstdDecompressSync` reads only the first. */
function decompressed(bytes: Buffer): string {
  const starts: number[] = [];
  for (let at = bytes.indexOf(magic()); at !== -1; at = bytes.indexOf(magic(), at + 1)) starts.push(at);
  const parts: Buffer[] = [];
  let begin = 0;
  while (begin < bytes.length) {
    // What looks like a beginning may stand in the middle of a frame: the shortest piece that can be read is one.
    const frame = [...starts.filter((start) => start > begin), bytes.length]
      .map((end) => ({ end, text: frameIn(bytes.subarray(begin, end)) }))
      .find(({ text }) => text !== undefined);
    if (frame?.text === undefined) throw new Error(`A frame at byte ${begin} cannot be read.`);
    parts.push(frame.text);
    begin = frame.end;
  }
  return Buffer.concat(parts).toString();
}

function frameIn(bytes: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes);
  } catch {
    return undefined;
  }
}

function magic(): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(ZSTD_MAGIC);
  return bytes;
}
