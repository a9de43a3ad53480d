import { rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { temporaryFolder } from "@notesoup/testing";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { filedSession } from "../src/session.ts";
import { SessionCache } from "../src/session-cache.ts";
import type { SessionRef } from "../src/session-ref.ts";
import { again } from "../src/again.ts";
import { piSession, TestHome } from "./corpus-fixture.ts";
import { plainWire, user } from "./plain-wire.ts";
import { factsOf, linesOf, refusal, TestFile, told } from "./session-fixture.ts";

const SECONDS = 1000;
const stamp = (path: string): Promise<void> => utimes(path, SECONDS, SECONDS);
const view = async (cache: SessionCache, { path }: { path: string }): Promise<string[]> => {
  const { file, bytes } = await cache.read(path, plainWire);
  return told(await filedSession(plainWire, file, bytes));
};
/** Who the events are from: this is remembered, and not read again as texts are. */
const rolesOf = async (cache: SessionCache, { path }: { path: string }): Promise<string> =>
  factsOf((await cache.read(path, plainWire)).file)
    .map(({ role }) => role[0])
    .join("");
const says = (role: string, text = "x".repeat(300)): JsonObject => ({ type: "record", items: [{ is: role, text }] });
const A_USER = linesOf([says("user")]);
/** As long as the other one, byte for byte. */
const AN_ANSWER = A_USER.replace('"user"', '"talk"');

describe("a file that was read before", () => {
  it("is not read again where file, size and time are the same", async () => {
    const file = await TestFile.of(A_USER + A_USER);
    await stamp(file.path);
    const cache = new SessionCache();
    expect(await rolesOf(cache, file)).toBe("uu");
    // Only a second reading would see this.
    await file.write(AN_ANSWER + AN_ANSWER);
    await stamp(file.path);
    expect(await rolesOf(cache, file)).toBe("uu");
    expect(await rolesOf(new SessionCache(), file)).toBe("aa");
  });

  it("is read on from its end where it has grown, and no more", async () => {
    const file = await TestFile.of(A_USER + A_USER);
    const cache = new SessionCache();
    let taken = 0;
    const counting = {
      ...plainWire,
      begin: () => {
        const reading = plainWire.begin();
        const take = reading.take.bind(reading);
        return Object.assign(reading, { take: (record: JsonObject) => (taken++, take(record)) });
      },
    };
    for (const more of ["", AN_ANSWER, A_USER + A_USER]) {
      await file.append(more);
      await cache.read(file.path, counting);
    }
    expect(taken).toBe(5);
  });

  it("is read on where it has grown in the middle of a line", async () => {
    const file = await TestFile.of(A_USER + AN_ANSWER.slice(0, 30));
    const cache = new SessionCache();
    expect(await rolesOf(cache, file)).toBe("u");
    await file.append(AN_ANSWER.slice(30));
    expect(await rolesOf(cache, file)).toBe("ua");
  });

  it("keeps its seqs where its last line had no end when it was read", async () => {
    const file = await TestFile.of(linesOf([user("one"), user("two")]).trimEnd());
    const cache = new SessionCache();
    expect(await view(cache, file)).toEqual(["0 user: one", "1 user: two"]);
    await file.append(`\n${linesOf([user("three")])}`);
    expect(await view(cache, file)).toEqual(["0 user: one", "1 user: two", "2 user: three"]);
  });

  it("gives the same to who had it before it has grown", async () => {
    const file = await TestFile.of(linesOf([user("one")]));
    const cache = new SessionCache();
    const before = await cache.read(file.path, plainWire);
    const session = await filedSession(plainWire, before.file, before.bytes);
    await file.append(linesOf([user("two")]));
    expect(await view(cache, file)).toEqual(["0 user: one", "1 user: two"]);
    expect(told(session)).toEqual(["0 user: one"]);
    expect(session.windows).toMatchObject([{ firstSeq: 0, lastSeq: 0, events: 1 }]);
  });
});

describe("a file that was changed otherwise than by appending is read anew:", () => {
  const changed = async (
    change: (file: TestFile) => Promise<void>,
    name = "session.jsonl",
    pack = plain,
  ): Promise<string[]> => {
    const file = await TestFile.of(pack(linesOf([user("one"), user("two")])), name);
    await stamp(file.path);
    const cache = new SessionCache();
    await view(cache, file);
    await change(file);
    return view(cache, file);
  };
  const plain = (text: string): Buffer => Buffer.from(text);
  const packed = (text: string): Buffer => zstdCompressSync(Buffer.from(text));

  it("shorter", async () => {
    expect(await changed((file) => file.write(linesOf([user("new")])))).toEqual(["0 user: new"]);
  });

  it("of the same size, with another time, though it ends as before", async () => {
    const long = user("x".repeat(400));
    const file = await TestFile.of(linesOf([user("one"), long]));
    await stamp(file.path);
    const cache = new SessionCache();
    await view(cache, file);
    await file.write(linesOf([user("ONE"), long]).replace('"user"', '"talk"'));
    expect(await view(cache, file)).toEqual(["0 assistant: ONE", `1 user: ${"x".repeat(400)}`]);
  });

  it("longer, with another content", async () => {
    const records = [user("another"), user("session"), user("three")];
    expect(await changed((file) => file.write(linesOf(records)))).toEqual([
      "0 user: another",
      "1 user: session",
      "2 user: three",
    ]);
  });

  it("another file in its place, though it begins in the same way", async () => {
    const records = [user("one"), user("two"), user("three")];
    const seen = await changed(async (file) => {
      await writeFile(`${file.path}.new`, linesOf(records));
      await rename(`${file.path}.new`, file.path);
    });
    expect(seen).toEqual(["0 user: one", "1 user: two", "2 user: three"]);
  });

  it("compressed, and longer than before", async () => {
    const text = linesOf([user("new one"), user("new two")]);
    const more = Buffer.concat([
      packed(text),
      packed(linesOf(Array.from({ length: 9 }, (_, at) => user(`${at} more of it`)))),
    ]);
    const seen = await changed((file) => file.write(more), "session.jsonl.zstd", packed);
    expect(seen.slice(0, 3)).toEqual(["0 user: new one", "1 user: new two", "2 user: 0 more of it"]);
  });
});

describe("a file that was changed in place and has grown", () => {
  const long = Array.from({ length: 40 }, (_, at) => user(`${at} ${"x".repeat(300)}`));

  it.each([0, 1, 20, 39])("is read anew, where record %d has become longer", async (changed) => {
    const file = await TestFile.of(linesOf(long));
    const cache = new SessionCache();
    await view(cache, file);
    await file.write(
      linesOf([...long.map((other, at) => (at === changed ? user(`new ${"y".repeat(400)}`) : other)), user("z")]),
    );
    const events = await view(cache, file);
    expect(events).toHaveLength(41);
    expect(events[changed]).toContain("new yyy");
  });

  it("is forgotten when a record proves wrong, and read anew by the next who ask", async () => {
    const home = await TestHome.create();
    const said = piSession(Array.from({ length: 40 }, (_, at) => `${at} ${"x".repeat(300)}`));
    const text = linesOf(said);
    const more = linesOf([{ ...said[1], id: "more", parentId: "e39" }]);
    const openings: number[] = [];
    for (const changed of Array.from({ length: 10 }, (_, at) => at + 10)) {
      const path = await home.pi("edited", said);
      const corpus = home.corpus();
      const ref = (await corpus.select("pi:edited")) as SessionRef;
      await corpus.open(ref);
      // As long as before, mostly in a place that is not looked at.
      const role = text.indexOf('"user"', text.indexOf(`"id":"e${changed}"`));
      await writeFile(path, `${text.slice(0, role)}"none"${text.slice(role + 6)}${more}`);
      let opened = 0;
      const seen = await again(async () => {
        opened++;
        return told(await corpus.open(ref));
      });
      expect(seen).toHaveLength(40);
      openings.push(opened);
    }
    expect(Math.max(...openings)).toBe(2);
  });
});

describe("a session that is held", () => {
  it("refuses to read on where its file was changed in place, and reads on where it has only grown", async () => {
    const home = await TestHome.create();
    const path = await home.pi("held", piSession(["first", "other"]));
    const corpus = home.corpus();
    const session = await corpus.open((await corpus.select("pi:held")) as SessionRef);
    await writeFile(path, linesOf(piSession(["first", "other"])) + linesOf([{ type: "custom", id: "more" }]));
    expect(told(session)).toEqual(["0 user: first", "1 user: other"]);
    await home.pi("held", piSession(["first", "OTHER"]), 2000);
    await refusal("session_unreadable", () => told(session));
    await rm(path);
    await refusal("session_unreadable", () => told(session));
  });
});

describe("a cache", () => {
  it("reads a compressed file on, frame by frame", async () => {
    const file = await TestFile.of(zstdCompressSync(A_USER), "session.jsonl.zstd");
    const cache = new SessionCache();
    expect(await rolesOf(cache, file)).toBe("u");
    const more = zstdCompressSync(AN_ANSWER);
    await file.append(more.subarray(0, 10));
    expect(await rolesOf(cache, file)).toBe("u");
    await file.append(more.subarray(10));
    expect(await rolesOf(cache, file)).toBe("ua");
  });

  it("reads a file once for all who ask at a time", async () => {
    const file = await TestFile.of(A_USER);
    const cache = new SessionCache();
    const all = await Promise.all(Array.from({ length: 5 }, () => cache.read(file.path, plainWire)));
    expect(new Set(all.map((read) => read.file)).size).toBe(1);
    await file.append(A_USER);
    await Promise.all(Array.from({ length: 5 }, () => cache.read(file.path, plainWire)));
    expect(await rolesOf(cache, file)).toBe("uu");
  });

  it("remembers some files, and forgets the ones that were used least lately", async () => {
    const folder = await temporaryFolder();
    const paths = Array.from({ length: 40 }, (_, at) => join(folder, `${at}.jsonl`));
    await Promise.all(paths.map((path) => writeFile(path, A_USER)));
    const cache = new SessionCache();
    const [first = "", second = "", ...others] = paths;
    const one = await cache.read(first, plainWire);
    const two = await cache.read(second, plainWire);
    for (const path of others) {
      await cache.read(path, plainWire);
      expect(await cache.read(first, plainWire)).toBe(one);
    }
    expect(await cache.read(second, plainWire)).not.toBe(two);
  });

  it("refuses what it cannot read, says why but not where, and reads it when it is there", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "session.jsonl");
    const cache = new SessionCache();
    const attempts = await Promise.allSettled([cache.read(path, plainWire), cache.read(path, plainWire)]);
    expect(attempts.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const message = await refusal("session_unreadable", () => cache.read(path, plainWire));
    expect(message).toBe("the session's file cannot be read: ENOENT; see that it is there and may be read");
    expect(await refusal("session_unreadable", () => cache.read(folder, plainWire))).toContain("EISDIR");
    await writeFile(path, A_USER);
    expect(await rolesOf(cache, { path })).toBe("u");
    await rm(path);
    await refusal("session_unreadable", () => cache.read(path, plainWire));
  });
});
