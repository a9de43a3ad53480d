import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { HistoryError } from "./error.ts";
import { changedMeanwhile, unreadable } from "./unreadable.ts";
import { decompressFrame, FrameSearch } from "./zstd-frames.ts";

/**
 * The text of a session's file as bytes, whether it is compressed or not. Positions count bytes of
 * the text. What cannot be read throws a HistoryError, `session_unreadable`.
 */
export interface SessionBytes {
  /** The bytes from a position on, never all of them at once: in pieces, each of which is there until the next is asked for. */
  chunks(from: number): AsyncIterable<Buffer>;
  /** Some bytes that were there before; fewer, where the file has become shorter. */
  read(start: number, length: number): Buffer;
  /** Whether the file, as it lies on the disk now, has these bytes at a position. */
  stillHas(start: number, bytes: Buffer): boolean;
  /** Bytes of the file that are no text: not yet, at its end, or never. */
  readonly tornBytes: number;
}

const CHUNK_BYTES = 512 * 1024;

/** A file that holds the text as it is. */
export class PlainBytes implements SessionBytes {
  readonly tornBytes = 0;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  chunks(from: number): AsyncGenerator<Buffer> {
    return opened(this.#path, (handle) => chunksOf(handle, from));
  }

  read(start: number, length: number): Buffer {
    return readPart(this.#path, start, length);
  }

  stillHas(start: number, bytes: Buffer): boolean {
    return this.read(start, bytes.length).equals(bytes);
  }
}

/** A frame and the part of the text that it holds. */
interface Frame {
  readonly fileStart: number;
  readonly fileLength: number;
  readonly start: number;
  readonly length: number;
}

/**
 * A file of zstd frames, one after another (RFC 8878), each of which holds some more of the text:
 * whole lines, so that one can be left out where it is broken.
 */
export class ZstdBytes implements SessionBytes {
  readonly #path: string;
  readonly #frames: Frame[] = [];
  /** How far the file was read, and how many bytes of it are frames. */
  #fileEnd = 0;
  #frameBytes = 0;
  #last: { readonly frame: Frame; readonly text: Buffer } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get tornBytes(): number {
    return this.#fileEnd - this.#frameBytes;
  }

  async *chunks(from: number): AsyncGenerator<Buffer> {
    for (const frame of this.#frames) {
      if (frame.start + frame.length > from) yield this.#textOf(frame).subarray(Math.max(0, from - frame.start));
    }
    yield* opened(this.#path, (handle) => this.#newFrames(handle));
  }

  /** Frames that were not seen before. */
  async *#newFrames(handle: FileHandle): AsyncGenerator<Buffer> {
    const last = this.#frames.at(-1);
    let fileStart = last === undefined ? 0 : last.fileStart + last.fileLength;
    let start = last === undefined ? 0 : last.start + last.length;
    let ahead: Buffer = Buffer.alloc(0);
    const search = new FrameSearch();
    for (let isEnd = false; !isEnd;) {
      const chunk = await readChunk(handle, fileStart + ahead.length);
      isEnd = chunk.length === 0;
      ahead = ahead.length === 0 ? chunk : Buffer.concat([ahead, chunk]);
      this.#fileEnd = Math.max(this.#fileEnd, fileStart + ahead.length);
      let at = 0;
      for (;;) {
        const found = await search.next(ahead, at, fileStart, isEnd);
        at = found.end;
        if (found.text === undefined) break;
        const length = found.text.length;
        this.#add({ fileStart: fileStart + found.start, fileLength: found.end - found.start, start, length });
        start += length;
        yield found.text;
      }
      fileStart += at;
      ahead = ahead.subarray(at);
    }
  }

  /** Another reading, at the same time, may have come to it first. */
  #add(frame: Frame): void {
    const last = this.#frames.at(-1);
    if (last !== undefined && last.fileStart >= frame.fileStart) return;
    this.#frames.push(frame);
    this.#frameBytes += frame.fileLength;
  }

  read(start: number, length: number): Buffer {
    const parts: Buffer[] = [];
    for (const frame of this.#framesIn(start, start + length)) {
      const text = this.#textOf(frame);
      parts.push(text.subarray(Math.max(0, start - frame.start), Math.max(0, start + length - frame.start)));
    }
    return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
  }

  stillHas(start: number, bytes: Buffer): boolean {
    this.#last = undefined;
    try {
      return this.read(start, bytes.length).equals(bytes);
    } catch (error) {
      if (error instanceof HistoryError) return false;
      throw error;
    }
  }

  #framesIn(start: number, end: number): Frame[] {
    return this.#frames.filter((frame) => frame.start < end && frame.start + frame.length > start);
  }

  #textOf(frame: Frame): Buffer {
    if (this.#last?.frame === frame) return this.#last.text;
    const text = decompressFrame(readPart(this.#path, frame.fileStart, frame.fileLength));
    if (text?.length !== frame.length) throw changedMeanwhile();
    this.#last = { frame, text };
    return text;
  }
}

async function* opened(path: string, read: (handle: FileHandle) => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, "r");
    yield* read(handle);
  } catch (error) {
    throw unreadable(error);
  } finally {
    await handle?.close();
  }
}

/** Of buffers that nobody reads into: a search opens thousands of files, and memory that is new is slow. */
const spare: Buffer[] = [];
const MOST_SPARE = 4;

/** While one piece is looked at, the next one is read. */
async function* chunksOf(handle: FileHandle, from: number): AsyncGenerator<Buffer> {
  let [now, ahead] = [spare.pop() ?? newBuffer(), spare.pop() ?? newBuffer()];
  let reading = readInto(now, handle, from);
  try {
    for (let position = from; ;) {
      const chunk = await reading;
      if (chunk.length === 0) return;
      position += chunk.length;
      [now, ahead] = [ahead, now];
      reading = readInto(now, handle, position);
      yield chunk;
    }
  } finally {
    // Whoever has seen enough does not wait for more, and a fault there is nobody's.
    await reading.catch(() => undefined);
    if (spare.length < MOST_SPARE) spare.push(now, ahead);
  }
}

function newBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(CHUNK_BYTES);
}

async function readInto(buffer: Buffer, handle: FileHandle, position: number): Promise<Buffer> {
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

function readChunk(handle: FileHandle, position: number): Promise<Buffer> {
  return readInto(newBuffer(), handle, position);
}

function readPart(path: string, start: number, length: number): Buffer {
  try {
    return readNow(path, start, length);
  } catch (error) {
    throw unreadable(error);
  }
}

function readNow(path: string, start: number, length: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    // What a broken index may claim is not taken before it is there.
    const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, fstatSync(descriptor).size - start)));
    let read = 0;
    while (read < part.length) {
      const more = readSync(descriptor, part, read, part.length - read, start + read);
      if (more === 0) break;
      read += more;
    }
    return part.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
}
