import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { expect } from "vitest";
import { HistoryError, type HistoryErrorCode } from "../src/error.ts";
import type { Fact } from "../src/fact.ts";
import type { JsonObject } from "../src/json.ts";
import { filedSession, liveSession, type Session } from "../src/session.ts";
import { PlainBytes } from "../src/session-bytes.ts";
import { SessionFile } from "../src/session-file.ts";
import type { Wire } from "../src/wire/wire.ts";
import { plainWire } from "./plain-wire.ts";

/** Records as the lines of a file. */
export function linesOf(records: readonly JsonObject[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** A session's file in a folder of the test's own. */
export class TestFile {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async of(content: string | Buffer, name = "session.jsonl"): Promise<TestFile> {
    const file = new TestFile(join(await temporaryFolder(), name));
    await writeFile(file.path, content);
    return file;
  }

  append(content: string | Buffer): Promise<void> {
    return appendFile(this.path, content);
  }

  write(content: string | Buffer): Promise<void> {
    return writeFile(this.path, content);
  }

  content(): Promise<Buffer> {
    return readFile(this.path);
  }

  /** Reads it as it is now. */
  async read(wire: Wire = plainWire, lineMaxBytes?: number): Promise<SessionFile> {
    const file = new SessionFile(wire, new PlainBytes(this.path), lineMaxBytes);
    await file.readOn();
    return file;
  }

  async session(wire: Wire = plainWire): Promise<Session> {
    return filedSession(wire, await this.read(wire), new PlainBytes(this.path));
  }
}

/** The session of a file with these records. */
export async function filed(records: readonly JsonObject[], wire: Wire = plainWire): Promise<Session> {
  return (await TestFile.of(linesOf(records))).session(wire);
}

/** The session of these records, as its host has it. */
export function live(records: readonly JsonObject[], wire: Wire = plainWire, head?: string | null): Session {
  return liveSession(wire, { records, head });
}

/** The facts of a session's file, in order. */
export function factsOf({ facts }: SessionFile): Fact[] {
  return Array.from({ length: facts.length }, (_, seq) => facts.at(seq)).filter((fact) => fact !== undefined);
}

/** One line an event: its seq, who it is from, its status, and its text with `/` for a line's end. */
export function told(session: Session): string[] {
  return [...session.events].map((event) => {
    const status = event.tool === undefined ? "" : ` ${event.tool.tool} ${event.tool.status}`;
    const document = session.document(event);
    const text = event.tool === undefined ? document : document.slice(document.indexOf("\n") + 1);
    return `${event.seq} ${event.role}${status}: ${text.replaceAll("\n", "/")}`;
  });
}

/** Expects a refusal of history, and gives its message. */
export async function refusal(code: HistoryErrorCode, attempt: () => unknown): Promise<string> {
  try {
    await attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(HistoryError);
    if (!(error instanceof HistoryError)) throw error;
    expect(error.code).toBe(code);
    expect(error.message).not.toContain("\n");
    return error.message;
  }
  throw new Error(`not refused with ${code}`);
}
