import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import { LiveTranscripts } from "../src/helper/live-transcript.ts";

const row = (uuid: string, more: object = {}): object => ({ type: "user", uuid, ...more });
const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Reads without waiting: what is to happen in the meantime is done in its place. */
function transcripts(meanwhile: (turn: number) => unknown = () => {}): { files: LiveTranscripts; turns: () => number } {
  let turns = 0;
  const files = new LiveTranscripts(async () => meanwhile(++turns));
  return { files, turns: () => turns };
}

const ids = (records: readonly Readonly<Record<string, unknown>>[] | undefined): unknown[] | undefined =>
  records?.map(({ uuid }) => uuid);

describe("a transcript that is being written", () => {
  it("is read on from where it was read before", async () => {
    const path = join(await temporaryFolder(), "a.jsonl");
    const { files } = transcripts();
    await writeFile(path, line(row("1")) + line(row("2")));
    expect(ids(await files.read(path, "2"))).toEqual(["1", "2"]);
    await appendFile(path, line(row("3", { text: "ä\u2028" })));
    expect((await files.read(path, "3"))?.at(-1)).toEqual(row("3", { text: "ä\u2028" }));
  });

  it("is waited for where the row that the host names is not there yet", async () => {
    const path = join(await temporaryFolder(), "b.jsonl");
    const { files, turns } = transcripts((turn) => turn === 3 && appendFile(path, line(row("2"))));
    await writeFile(path, line(row("1")));
    expect(ids(await files.read(path, "2"))).toEqual(["1", "2"]);
    expect(turns()).toBe(3);
  });

  it("is taken as it is where the row does not come within half a second", async () => {
    const path = join(await temporaryFolder(), "c.jsonl");
    const { files, turns } = transcripts();
    await writeFile(path, line(row("1")));
    expect(ids(await files.read(path, "none"))).toEqual(["1"]);
    expect(turns() * 20).toBe(500);
  });

  it("may end in a line that is not whole: it is read when it is", async () => {
    const path = join(await temporaryFolder(), "d.jsonl");
    const { files } = transcripts();
    const second = line(row("2", { text: "ä" }));
    await writeFile(path, line(row("1")) + second.slice(0, 20));
    expect(ids(await files.read(path, "1"))).toEqual(["1"]);
    await appendFile(path, second.slice(20, -1));
    expect(ids(await files.read(path, "2"))).toEqual(["1", "2"]);
    await appendFile(path, `\n${line(row("3"))}`);
    expect(ids(await files.read(path, "3"))).toEqual(["1", "2", "3"]);
  });

  it("may hold what cannot be read, which is skipped", async () => {
    const path = join(await temporaryFolder(), "e.jsonl");
    const { files } = transcripts();
    await writeFile(path, `${line(row("1"))}{"cut\n\0\0\0\n3\n\n${line(row("2"))}`);
    expect(ids(await files.read(path, "2"))).toEqual(["1", "2"]);
  });

  it("of what is no row of the conversation, only where and when it was written is kept", async () => {
    const path = join(await temporaryFolder(), "f.jsonl");
    const { files } = transcripts();
    const snapshot = { type: "file-history-snapshot", timestamp: "2026-11-30T09:00:00.000Z", snapshot: "large" };
    await writeFile(path, line(snapshot) + line(row("1")));
    const [first] = (await files.read(path, "1")) ?? [];
    expect(JSON.parse(JSON.stringify(first))).toEqual({ type: snapshot.type, timestamp: snapshot.timestamp });
  });

  it("is read anew where another file has taken its place", async () => {
    const path = join(await temporaryFolder(), "g.jsonl");
    const { files } = transcripts();
    await writeFile(path, line(row("1")) + line(row("2")));
    await files.read(path, "2");
    await writeFile(`${path}.new`, line(row("4")) + line(row("5")) + line(row("6")));
    await rename(`${path}.new`, path);
    expect(ids(await files.read(path, "6"))).toEqual(["4", "5", "6"]);
  });

  it("has no records before its first row, and is gone where it should have some", async () => {
    const path = join(await temporaryFolder(), "h.jsonl");
    const { files, turns } = transcripts();
    expect(await files.read(path, null)).toEqual([]);
    await writeFile(path, line(row("1")));
    expect(ids(await files.read(path, "1"))).toEqual(["1"]);
    await rm(path);
    expect(await files.read(path, "1")).toBeUndefined();
    const waited = turns();
    expect(await files.read(path, "1")).toBeUndefined();
    expect([waited * 20, turns()]).toEqual([500, waited]);
  });

  it("is read once where two ask at once", async () => {
    const path = join(await temporaryFolder(), "i.jsonl");
    const { files } = transcripts();
    await writeFile(path, line(row("1")));
    await files.read(path, "1");
    await appendFile(path, line(row("2")));
    const [one, other] = await Promise.all([files.read(path, "2"), files.read(path, "2")]);
    expect(ids(one)).toEqual(["1", "2"]);
    expect(ids(other)).toEqual(["1", "2"]);
  });
});
