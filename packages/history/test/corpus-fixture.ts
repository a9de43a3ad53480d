import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { createHistoryCorpus, type CorpusOptions, type HistoryCorpus } from "../src/corpus.ts";
import type { JsonObject } from "../src/json.ts";
import { linesOf } from "./session-fixture.ts";

/** Folders with sessions of all harnesses, in the harnesses' own formats. */
export class TestHome {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async create(): Promise<TestHome> {
    return new TestHome(await temporaryFolder());
  }

  /** @param seconds when it was written, since 1970 */
  async write(name: string, content: string | Buffer, seconds = 1000): Promise<string> {
    const path = join(this.root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    await utimes(path, seconds, seconds);
    return path;
  }

  pi(id: string, records: readonly JsonObject[], seconds?: number): Promise<string> {
    return this.write(`pi/--work--/2026-11-30T10-00-00-000Z_${id}.jsonl`, linesOf(records), seconds);
  }

  claude(id: string, records: readonly JsonObject[], seconds?: number): Promise<string> {
    return this.write(`claude/-work/${id}.jsonl`, linesOf(records), seconds);
  }

  dsh(id: string, records: readonly JsonObject[], seconds?: number): Promise<string> {
    return this.write(`dsh/--work--/${id}/session.jsonl`, linesOf(records), seconds);
  }

  get roots(): CorpusOptions["roots"] {
    return { pi: [join(this.root, "pi")], claude: [join(this.root, "claude")], dsh: [join(this.root, "dsh")] };
  }

  corpus(options: Partial<CorpusOptions> = {}): HistoryCorpus {
    return createHistoryCorpus({ roots: this.roots, ...options });
  }
}

const TIME = "2026-11-30T10:00:00.000Z";

/** What someone has said in Pi, one entry behind the other. */
export function piSession(texts: readonly string[], header: JsonObject = {}, role = "user"): JsonObject[] {
  const entries = texts.map((text, at) => ({
    type: "message",
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: TIME,
    message: { role, content: [{ type: "text", text }] },
  }));
  return [{ type: "session", version: 3, id: "id", timestamp: TIME, cwd: "/work", ...header }, ...entries];
}

/** What a person has said in Claude Code. */
export function claudeSession(texts: readonly string[]): JsonObject[] {
  return texts.map((text, at) => ({
    parentUuid: at === 0 ? null : `r${at - 1}`,
    isSidechain: false,
    type: "user",
    message: { role: "user", content: text },
    uuid: `r${at}`,
    timestamp: TIME,
    cwd: "/work",
    sessionId: "id",
  }));
}

/** What a person has said in dsh. */
export function dshSession(texts: readonly string[], header: JsonObject = {}): JsonObject[] {
  const events = texts.map((text, seq) => ({
    type: "user/message",
    seq,
    time: Date.parse(TIME),
    data: { id: `m${seq}`, role: "user", content: [{ type: "text", text }], source: { kind: "user" } },
    surfaceOp: "append",
  }));
  return [{ type: "session", version: 0, id: "id", createdAt: Date.parse(TIME), cwd: "/work", ...header }, ...events];
}
