import { rename, truncate } from "node:fs/promises";
import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { filedSession } from "../src/session.ts";
import { PlainBytes, ZstdBytes } from "../src/session-bytes.ts";
import { SessionFile } from "../src/session-file.ts";
import { assistant, call, plainWire, record, result, user } from "./plain-wire.ts";
import { factsOf, linesOf, refusal, TestFile, told } from "./session-fixture.ts";

const MIB = 1024 * 1024;
const NO_DAMAGE = { lines: 0, bytes: 0 };
const texts = async (file: TestFile): Promise<string[]> => told(await file.session());

describe("the lines of a session's file", () => {
  it("end at LF alone: not at CR, nor at the separators that only JavaScript knows", async () => {
    const content = `{"items":[{"is":"user","text":"a\u2028b\u2029c\u0085d"}]}\r\n{"items":[{"is":"user",\r"text":"e"}]}\n`;
    const file = await TestFile.of(content);
    expect(await texts(file)).toEqual(["0 user: a\u2028b\u2029c\u0085d", "1 user: e"]);
    expect((await file.read()).damage).toEqual(NO_DAMAGE);
  });

  it("may be blank, and the first may begin with a byte order mark", async () => {
    const file = await TestFile.of(`\ufeff${linesOf([user("one")])}\n \r\n${linesOf([user("two")])}`);
    const read = await file.read();
    expect(await texts(file)).toEqual(["0 user: one", "1 user: two"]);
    expect(read.damage).toEqual(NO_DAMAGE);
    expect(read.record(0)).toEqual(user("one"));
  });

  it("may be longer than what is read in one piece, with letters of several bytes at every border", async () => {
    const long = "я".repeat(MIB / 2) + "€".repeat(MIB / 2);
    const file = await TestFile.of(linesOf([user(`x${long}`), user(long), user(`xx${long}`), user("end")]));
    const session = await file.session();
    expect(session.events).toHaveLength(4);
    expect([0, 1, 2, 3].map((seq) => session.document(session.event(seq)))).toEqual([
      `x${long}`,
      long,
      `xx${long}`,
      "end",
    ]);
  });

  it("are damage where they are longer than the bound; what follows is read", async () => {
    const records = [user("one"), user("x".repeat(3 * MIB)), user("two")];
    const file = await TestFile.of(linesOf(records));
    const read = await file.read(plainWire, 2 * MIB);
    expect(factsOf(read)).toHaveLength(2);
    expect(read.record(1)).toEqual(user("two"));
    expect(read.damage).toEqual({ lines: 1, bytes: JSON.stringify(records[1]).length });

    await file.write(linesOf(records).trimEnd());
    expect((await file.read(plainWire, 20)).damage.lines).toBe(3);
  });

  it("are damage where a hole of 100 MB of NULs is, which is never held in memory; what follows is read", async () => {
    const file = await TestFile.of(linesOf([user("one")]));
    const start = (await file.content()).length;
    await truncate(file.path, start + 100 * MIB);
    await file.append(`\n${linesOf([user("two")])}`);
    const read = await file.read();
    expect(read.damage).toEqual({ lines: 1, bytes: 100 * MIB });
    expect(read.record(1)).toEqual(user("two"));
  });
});

describe("a session's file with damage", () => {
  it("counts the lines and bytes that cannot be read, and gives what follows the next seqs", async () => {
    const cut = '{"items":[{"is":"user"';
    const file = await TestFile.of(`${linesOf([user("one")])}${cut}\n\0\0\0\n[]\n${linesOf([user("two")])}`);
    expect(await texts(file)).toEqual(["0 user: one", "1 user: two"]);
    expect((await file.read()).damage).toEqual({ lines: 3, bytes: cut.length + 3 + 2 });
  });

  it("reads a record before NULs, and one behind a cut one", async () => {
    const glued = linesOf([user("three")]);
    const file = await TestFile.of(
      `${linesOf([user("one")]).trimEnd()}${"\0".repeat(9000)}\n{"type":"record","it${glued}`,
    );
    expect(await texts(file)).toEqual(["0 user: one", "1 user: three"]);
    expect((await file.read()).damage).toEqual({ lines: 2, bytes: 9000 + '{"type":"record","it'.length });
  });

  it("counts a line that is being written until it has its end", async () => {
    const line = linesOf([user("two")]);
    const file = await TestFile.of(linesOf([user("one")]) + line.slice(0, 10));
    const read = await file.read();
    expect(read.damage).toEqual({ lines: 1, bytes: 10 });
    await file.append(line.slice(10));
    await read.readOn();
    expect(read.damage).toEqual(NO_DAMAGE);
    expect(factsOf(read)).toHaveLength(2);
  });

  it("counts what of a line without its end cannot be read, though a record in it can", async () => {
    const cut = '{"type":"record","it';
    const file = await TestFile.of(linesOf([user("one")]) + cut + linesOf([user("two")]).trimEnd());
    const read = await file.read();
    expect(read.facts.length).toBe(2);
    expect(read.isProvisional).toBe(true);
    expect(read.damage).toEqual({ lines: 1, bytes: cut.length });
    await file.append("\n");
    expect((await file.read()).damage).toEqual({ lines: 1, bytes: cut.length });
  });

  it("leaves the loop to others between its lines", async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const file = await TestFile.of('{"x}\n'.repeat(5000));
    setImmediate(count);
    const read = await file.read();
    isOver = true;
    expect(read.damage.lines).toBe(5000);
    expect(turns).toBeGreaterThan(2);
  });

  it("reads a record that lacks only the end of its line, and says that this is provisional", async () => {
    const file = await TestFile.of(linesOf([user("one"), user("two")]).trimEnd());
    const read = await file.read();
    expect(factsOf(read)).toHaveLength(2);
    expect(read.isProvisional).toBe(true);
    expect(read.damage).toEqual(NO_DAMAGE);
    await file.append("\n");
    expect((await file.read()).isProvisional).toBe(false);
  });
});

describe("a session's file that grows", () => {
  const records = [
    { items: [{ text: "€ 😀" }] },
    { items: [call("c", { tool: "я" }), result("c", "ok")] },
    { items: [{ is: "user" }] },
  ];

  it("gives at every byte of it, read on from there, what it gives when it is read at once", async () => {
    const content = Buffer.from(linesOf(records));
    const whole = told(await (await TestFile.of(content)).session());
    const file = await TestFile.of("");
    for (let cut = 0; cut <= content.length; cut++) {
      await file.write(content.subarray(0, cut));
      const read = await file.read();
      const isProvisional = read.isProvisional;
      const before = told(await filedSession(plainWire, read, new PlainBytes(file.path)));
      await file.append(content.subarray(cut));
      if (!isProvisional) await read.readOn();
      const after = isProvisional
        ? await file.session()
        : await filedSession(plainWire, read, new PlainBytes(file.path));
      expect(told(after), `cut at ${cut}`).toEqual(whole);
      expect(whole.slice(0, before.length).map(seqOf), `cut at ${cut}`).toEqual(before.map(seqOf));
    }
  });

  it("has no record that is only an object of the one that is being written", async () => {
    const inner = user("inner");
    const line = JSON.stringify({ type: "record", list: [inner, inner], items: [{ is: "user", text: "outer" }] });
    const file = await TestFile.of(line.slice(0, line.indexOf("]}") + 2));
    const read = await file.read();
    expect(factsOf(read)).toEqual([]);
    expect(read.damage).toEqual({ lines: 1, bytes: line.indexOf("]}") + 2 });
    await file.append(line.slice(line.indexOf("]}") + 2));
    await read.readOn();
    expect(told(await filedSession(plainWire, read, new PlainBytes(file.path)))).toEqual(["0 user: outer"]);
  });

  it("is read on line by line and half line by half line", async () => {
    const content = Buffer.from(linesOf(records));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: content.length }), { maxLength: 6 }), async (places) => {
        const cuts = [...places.toSorted((one, other) => one - other), content.length];
        const file = await TestFile.of("");
        let read = await file.read();
        let from = 0;
        for (const to of cuts) {
          await file.append(content.subarray(from, to));
          if (read.isProvisional) read = await file.read();
          else await read.readOn();
          from = to;
        }
        expect(factsOf(read)).toHaveLength(4);
        expect(records.map((_, number) => read.record(number))).toEqual(records);
        expect(read.damage).toEqual(NO_DAMAGE);
      }),
      { numRuns: 30 },
    );
  });
});

describe("the records of a session's file", () => {
  it("are read again as they are, in the encoding of the file", async () => {
    const records: JsonObject[] = [
      user("ä€😀"),
      assistant("\ud83d lone"),
      record([call("ключ", { args: { путь: "/я" } })]),
    ];
    const read = await (await TestFile.of(linesOf(records))).read();
    expect(records.map((_, number) => read.record(number))).toEqual(records);
  });

  it("give tools and paths that are not ASCII as they are, though lines are read as bytes", async () => {
    const items = [
      call("идентификатор", { tool: "прочитать-😀" }),
      result("идентификатор", "", { cut: true, path: "/дом/ä.txt" }),
    ];
    const session = await (await TestFile.of(linesOf([record(items)]))).session();
    expect([...session.events]).toMatchObject([
      { tool: { tool: "прочитать-😀", status: "ok", outputTruncated: true, fullOutputPath: "/дом/ä.txt" } },
    ]);
  });

  it("give them as they are where a letter is written as an escape, beside others that are not", async () => {
    const items = [call("né", { tool: "Rene-é" }), result("né", "", { cut: true, path: "/home/René/ä.txt" })];
    const escaped = linesOf([{ ...record(items), begin: { parent: "/home/René" } }]).replaceAll(
      "é",
      String.raw`\u00e9`,
    );
    const session = await (await TestFile.of(escaped)).session();
    expect([...session.events]).toMatchObject([
      { tool: { tool: "Rene-é", status: "ok", fullOutputPath: "/home/René/ä.txt" } },
    ]);
    expect(session.parent).toBe("/home/René");
    // A call and its result are a pair, however each of them writes the id.
    const written = linesOf([record([result("né", "")])]).replace("é", String.raw`\u00e9`);
    const pair = await (await TestFile.of(linesOf([record([call("né")])]) + written)).session();
    expect([...pair.events]).toMatchObject([{ tool: { status: "ok" } }]);
  });

  it("name the session that they were forked from in its own letters", async () => {
    const file = await TestFile.of(linesOf([{ begin: { parent: "/дом/сессия.jsonl" } }, user("x")]));
    expect((await file.session()).parent).toBe("/дом/сессия.jsonl");
  });

  it("replace bytes that are no UTF-8, and keep all around them", async () => {
    const line = Buffer.from(linesOf([user("a?b")]), "latin1");
    line[line.indexOf("?")] = 0xc3;
    expect(await texts(await TestFile.of(line))).toEqual(["0 user: a\ufffdb"]);
  });

  it("may be those of a byte: all of its line, because what is broken may hold it too", async () => {
    const file = await TestFile.of(
      `${linesOf([user("one")])}{"type":"record","x${linesOf([user("two")]).trimEnd()}${linesOf([user("three")])}`,
    );
    const read = await file.read();
    const content = (await file.content()).toString();
    expect(read.recordsAt(content.indexOf("one"))).toEqual([0]);
    expect(read.recordsAt(content.indexOf('"x{'))).toEqual([1, 2]);
    expect(read.recordsAt(content.indexOf("three"))).toEqual([1, 2]);
  });
});

describe("a session's file of which nothing can be read", () => {
  it("is not said to be one in which nothing has happened", async () => {
    const damaged = await (await TestFile.of("{broken\n{broken\n")).session();
    const message = await refusal("seq_not_found", () => damaged.event(0));
    expect(message).toBe(
      "there is no event at seq 0: nothing of this session can be read; damaged lines: 2, bytes: 14",
    );
  });
});

describe("a session's file that was changed otherwise than by appending", () => {
  it("is said to have been changed, where a record is not there any more", async () => {
    const file = await TestFile.of(linesOf([user("one"), user("two")]));
    const session = await file.session();
    const [one, two] = [...session.events];
    await file.write("{}\n");
    for (const event of [one, two]) {
      const message = await refusal("session_unreadable", () => event && session.document(event));
      expect(message).toBe("the session's file was changed while it was read; try again");
    }
  });

  it("is said to be unreadable, where it is not there any more, and where it lay is not said", async () => {
    const file = await TestFile.of(linesOf([user("one")]));
    const session = await file.session();
    await rename(file.path, `${file.path}.moved`);
    const message = await refusal("session_unreadable", () => session.document(session.event(0)));
    expect(message).toContain("ENOENT");
    expect(message).not.toContain(file.path);
    await refusal("session_unreadable", () => file.read());
    await refusal("session_unreadable", () => session.candidates({ expression: /one/giu, overlap: 16, anchors: [[]] }));
  });
});

describe("a compressed session's file", () => {
  const frames = [[user("one"), user("two")], [user("three")], [user("four"), user("пять")]].map((records) =>
    zstdCompressSync(Buffer.from(linesOf(records)), { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
  );
  const whole = ["0 user: one", "1 user: two", "2 user: three", "3 user: four", "4 user: пять"];
  const open = async (content: Buffer): Promise<Opened> => openAt(await TestFile.of(content, "session.jsonl.zstd"));
  const openAt = async (file: TestFile): Promise<Opened> => {
    const bytes = new ZstdBytes(file.path);
    const read = new SessionFile(plainWire, bytes);
    await read.readOn();
    return { file, bytes, read };
  };
  const view = async ({ bytes, read }: Opened): Promise<string[]> => told(await filedSession(plainWire, read, bytes));

  it("is read frame by frame, and read on wherever it was cut", async () => {
    const content = Buffer.concat(frames);
    const file = await TestFile.of("", "session.jsonl.zstd");
    for (let cut = 0; cut <= content.length; cut++) {
      await file.write(content.subarray(0, cut));
      const opened = await openAt(file);
      expect(opened.read.damage.lines, `cut at ${cut}`).toBe(opened.bytes.tornBytes > 0 ? 1 : 0);
      await opened.file.append(content.subarray(cut));
      await opened.read.readOn();
      expect(await view(opened), `cut at ${cut}`).toEqual(whole);
      expect(opened.read.damage).toEqual(NO_DAMAGE);
    }
  });

  it("counts what is no frame, or a torn one, as damage, and reads what follows", async () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = frames;
    const broken = Buffer.from(second);
    broken.fill(0xff, 6, 12);
    const damages = [
      Buffer.from("no frame"),
      Buffer.alloc(9000),
      second.subarray(0, -3),
      second.subarray(0, 7),
      broken,
    ];
    for (const damage of damages) {
      const opened = await open(Buffer.concat([first, damage, third]));
      expect(await view(opened)).toEqual(["0 user: one", "1 user: two", "2 user: four", "3 user: пять"]);
      expect(opened.read.damage).toEqual({ lines: 1, bytes: damage.length });
    }
  });

  it("is read by several at a time while it grows, each seeing the same text", async () => {
    const [first = Buffer.alloc(0), ...others] = frames;
    const { file, bytes } = await open(first);
    await file.append(Buffer.concat(others));
    const read = async (): Promise<string> => {
      const parts: Buffer[] = [];
      for await (const chunk of bytes.chunks(0)) parts.push(chunk);
      return Buffer.concat(parts).toString();
    };
    const [one, ...rest] = await Promise.all([read(), read(), read()]);
    expect(new Set(rest)).toEqual(new Set([one]));
    expect(await read()).toBe(one);
    expect(bytes.tornBytes).toBe(0);
    expect(bytes.read(0, one?.length ?? 0).toString()).toContain("three");
  });

  it("is said to have been changed, where a frame is not there any more", async () => {
    const opened = await open(Buffer.concat(frames));
    const session = await filedSession(plainWire, opened.read, opened.bytes);
    await opened.file.write(Buffer.alloc(2000, 1));
    const message = await refusal("session_unreadable", () => session.document(session.event(0)));
    expect(message).toContain("changed while it was read");
  });
});

interface Opened {
  readonly file: TestFile;
  readonly bytes: ZstdBytes;
  readonly read: SessionFile;
}

function seqOf(line: string): string {
  return line.slice(0, line.indexOf(" "));
}
