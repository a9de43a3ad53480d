import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../src/json.ts";
import { filedSession, type Session } from "../src/session.ts";
import { PlainBytes, type SessionBytes, ZstdBytes } from "../src/session-bytes.ts";
import { SessionFile } from "../src/session-file.ts";
import { claudeWire } from "../src/wire/claude.ts";
import { dshWire } from "../src/wire/dsh.ts";
import { piWire } from "../src/wire/pi.ts";
import type { Wire } from "../src/wire/wire.ts";
import { decompressFrame, frameAt } from "../src/zstd-frames.ts";

/** A session that a host has written. */
export interface Sample {
  readonly name: string;
  readonly wire: Wire;
  readonly path: string;
  /** Its lines, whether the file is compressed or not. */
  readonly text: Buffer;
}

/** All sessions among the fixtures. */
export const SAMPLES: readonly Sample[] = [piWire, claudeWire, dshWire].flatMap((wire) => {
  const folder = new URL(`fixtures/${wire.harness}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => /\.jsonl(?:\.zstd)?$/u.test(file))
    .map((file): Sample => {
      const path = fileURLToPath(new URL(file, folder));
      const bytes = readFileSync(path);
      return {
        name: `${wire.harness}/${file}`,
        wire,
        path,
        text: file.endsWith(".zstd") ? decompressed(bytes) : bytes,
      };
    });
});

function decompressed(bytes: Buffer): Buffer {
  const texts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = frameAt(bytes, at);
    if (typeof frame === "string") throw new Error(`${frame} at ${at}`);
    texts.push(decompressFrame(bytes.subarray(at, frame.end)) ?? Buffer.alloc(0));
    at = frame.end;
  }
  return Buffer.concat(texts);
}

/** The bytes of a file that is not there, in pieces of any size. */
export class MemoryBytes implements SessionBytes {
  readonly tornBytes = 0;
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;

  constructor(bytes: Buffer, pieceBytes = 64 * 1024) {
    this.#bytes = bytes;
    this.#pieceBytes = pieceBytes;
  }

  // eslint-disable-next-line typescript/require-await -- that of a file waits.
  async *chunks(from: number): AsyncGenerator<Buffer> {
    for (let at = from; at < this.#bytes.length; at += this.#pieceBytes) {
      yield this.#bytes.subarray(at, at + this.#pieceBytes);
    }
  }

  read(start: number, length: number): Buffer {
    return this.#bytes.subarray(start, start + length);
  }

  stillHas(start: number, bytes: Buffer): boolean {
    return this.read(start, bytes.length).equals(bytes);
  }
}

/** A session's file and what was read of it. */
export interface ReadSample {
  readonly file: SessionFile;
  readonly session: Session;
}

/** Reads the lines of a session. */
export async function readBytes(wire: Wire, bytes: SessionBytes): Promise<ReadSample> {
  const file = new SessionFile(wire, bytes);
  await file.readOn();
  return { file, session: await filedSession(wire, file, bytes) };
}

export const readSample = ({ wire, path }: Sample): Promise<ReadSample> =>
  readBytes(wire, path.endsWith(".zstd") ? new ZstdBytes(path) : new PlainBytes(path));

/** Where the lines of a text end, behind their LF. */
export function lineEndsOf(text: Buffer): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) ends.push(at + 1);
  return ends;
}

/** The lines of a text, without their LF. */
export function textLinesOf(text: Buffer): Buffer[] {
  return lineEndsOf(text).map((end, at, ends) => text.subarray(ends[at - 1] ?? 0, end - 1));
}

/** Every record of a text, as its host would have it in memory. */
export function recordsOf(text: Buffer): JsonObject[] {
  return textLinesOf(text).map((line) => JSON.parse(line.toString("utf8")) as JsonObject);
}
