import { readdirSync, readFileSync } from "node:fs";
import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompressFrame, FRAME_MAX_BYTES, frameAt, FrameSearch } from "../src/zstd-frames.ts";
import { CountedSlices } from "./counted-slices.ts";

const folder = new URL("fixtures/dsh/", import.meta.url);
const samples = readdirSync(folder).filter((name) => name.endsWith(".zstd"));
const sample = (name: string): Buffer => readFileSync(new URL(name, folder));
const compressed = (text: string): Buffer => zstdCompressSync(Buffer.from(text, "utf8"));

/** The frames of bytes that are nothing else. */
function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = frameAt(bytes, at);
    if (typeof frame === "string") throw new Error(`${frame} at ${at}`);
    frames.push(bytes.subarray(at, frame.end));
    at = frame.end;
  }
  return frames;
}

function skippable(content: Buffer, kind = 0): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x184d2a50 + kind, 0);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content]);
}

describe("the frames of a host's file", () => {
  it.each(samples)(
    "%s: are found without decompressing, and hold whole lines, the header alone in the first",
    (name) => {
      const frames = framesOf(sample(name));
      const texts = frames.map((frame) => decompressFrame(frame)?.toString("utf8") ?? "");
      const lines = texts.map((text) => text.split("\n"));

      expect(Buffer.concat(frames)).toEqual(sample(name));
      expect(frames.length).toBeGreaterThan(1);
      expect(lines.map((ofFrame) => ofFrame.at(-1)).filter((rest) => rest !== "")).toEqual([]);
      expect(lines[0]).toHaveLength(2);
      expect(JSON.parse(texts[0] ?? "")).toMatchObject({ type: "session", version: 0 });
    },
  );

  it.each(samples)("%s: the last one is torn, wherever it was cut", (name) => {
    const bytes = sample(name);
    const start = bytes.length - (framesOf(bytes).at(-1)?.length ?? 0);
    const seen = new Set<unknown>();
    for (let cut = start; cut < bytes.length; cut++) seen.add(frameAt(bytes.subarray(0, cut), start));

    expect([...seen]).toEqual(["torn"]);
  });
});

describe("a frame", () => {
  it("ends where it ends, whatever was compressed, however, and whatever stands before and behind it", () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
      // Compressed, and more than a block; blocks of one byte repeated; blocks that cannot be compressed.
      fc.nat({ max: 400_000 }).map((length) => Buffer.alloc(length, "many words, said again. ")),
      fc.nat({ max: 400_000 }).map((length) => Buffer.alloc(length, 7)),
      fc.nat().map(noise),
    );
    const frame = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          content,
          level: fc.integer({ min: -5, max: 12 }),
          checksum: fc.boolean(),
          size: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.record({ skipped: content, kind: fc.nat({ max: 15 }) }) },
    );
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), (frames) => {
        const parts = frames.map((one) =>
          "skipped" in one
            ? skippable(one.skipped, one.kind)
            : zstdCompressSync(one.content, {
                params: {
                  [constants.ZSTD_c_compressionLevel]: one.level,
                  [constants.ZSTD_c_checksumFlag]: one.checksum ? 1 : 0,
                  [constants.ZSTD_c_contentSizeFlag]: one.size ? 1 : 0,
                },
              }),
        );
        const bytes = Buffer.concat(parts);
        const found = framesOf(bytes);
        const texts = found.map((part) => decompressFrame(part));

        expect(found.map(({ length }) => length)).toEqual(parts.map(({ length }) => length));
        expect(
          texts.every((text, index) => {
            const one = frames[index];
            return (
              text !== undefined && one !== undefined && text.equals("content" in one ? one.content : Buffer.alloc(0))
            );
          }),
        ).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("says whether it stands for bytes of the text", () => {
    const text = compressed("a line\n");
    const skipped = skippable(Buffer.from("a user's own"));
    expect(frameAt(text, 0)).toEqual({ end: text.length, isSkippable: false });
    expect(frameAt(skipped, 0)).toEqual({ end: skipped.length, isSkippable: true });
    expect(decompressFrame(skipped)).toEqual(Buffer.alloc(0));
  });

  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 4],
  ])("may name a dictionary: with the flag %j, in %j bytes", (flag, idBytes) => {
    const oneRawByte = [0b1001, 0, 0, 7];
    const frame = [0x28, 0xb5, 0x2f, 0xfd, 0b0010_0000 | flag, ...Array<number>(idBytes).fill(9), 1, ...oneRawByte];
    expect(frameAt(Buffer.from([...frame, 0]), 0)).toEqual({ end: frame.length, isSkippable: false });
  });

  it("is torn where the bytes end before it does, a skippable one too", () => {
    const skipped = skippable(Buffer.from("a user's own"));
    for (let cut = 0; cut < skipped.length; cut++) expect(frameAt(skipped.subarray(0, cut), 0)).toBe("torn");
    expect(frameAt(skipped, skipped.length)).toBe("torn");
  });

  it.each([
    ["text", Buffer.from('{"type":"session"}\n')],
    ["zeros", Buffer.alloc(4096)],
    ["one wrong byte", Buffer.from([0x27])],
    ["an almost right beginning", Buffer.from([0x28, 0xb5, 0x2f, 0xfe])],
    ["an almost right beginning that is cut", Buffer.from([0x28, 0xb4])],
    ["an almost right beginning of a skippable one", Buffer.from([0x51, 0x2a, 0x4d, 0x19, 0, 0, 0, 0])],
    ["a descriptor with the reserved bit", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b0010_1000, 0, 1, 0, 0])],
    ["a block of the reserved type", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b0010_0000, 0, 0b111, 0, 0])],
    ["a block that is too large", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b0010_0000, 0, 1, 0, 0x20])],
  ])("does not begin with %s", (_name, bytes) => {
    expect(frameAt(bytes, 0)).toBe("bad");
  });

  it("is looked for in any bytes without harm", () => {
    let found = 0;
    const whole = [compressed("a line\n"), compressed("a".repeat(300_000)), skippable(Buffer.from("a user's own"))];
    const change = fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 255 }));
    const bytes = fc
      .tuple(fc.constantFrom(...whole), fc.array(change, { maxLength: 3 }), fc.constantFrom(whole[0], Buffer.alloc(0)))
      .map(([frame, changes, more]) => {
        const any = Buffer.concat([frame, more ?? frame]);
        for (const [at, byte] of changes) any.writeUInt8(byte, at % any.length);
        return any;
      });
    fc.assert(
      fc.property(bytes, fc.constantFrom(0, 0, 0, 1, 4, 900), (any, offset) => {
        const frame = frameAt(any, offset);
        if (typeof frame === "string") return;
        found++;
        expect(frame.end).toBeGreaterThan(offset);
        expect(frame.end).toBeLessThanOrEqual(any.length);
        decompressFrame(any.subarray(offset, frame.end));
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(200);
  });
});

describe("decompressing a frame", () => {
  it("gives nothing where its bytes were changed", () => {
    const frame = zstdCompressSync(noise(1), { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const changed = Buffer.from(frame);
    changed[1000] = ~(changed[1000] ?? 0) & 0xff;
    expect(frameAt(changed, 0)).toEqual({ end: frame.length, isSkippable: false });
    expect(decompressFrame(changed)).toBeUndefined();
  });

  it("gives nothing where the frame is cut, or is none", () => {
    const frame = compressed("a line\n");
    expect(decompressFrame(frame.subarray(0, -1))).toBeUndefined();
    expect(decompressFrame(Buffer.from("a line\n"))).toBeUndefined();
    expect(decompressFrame(Buffer.alloc(0))).toBeUndefined();
  });

  it("is bounded: a frame that stands for more than that is not decompressed", () => {
    expect(decompressFrame(zstdCompressSync(Buffer.alloc(FRAME_MAX_BYTES)))).toHaveLength(FRAME_MAX_BYTES);
    expect(decompressFrame(zstdCompressSync(Buffer.alloc(FRAME_MAX_BYTES + 1)))).toBeUndefined();
  });
});

describe("the search for frames", () => {
  /** A frame's beginning, with a block in which the next one begins: every one ends where the last does. */
  const link = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b100, 0x58, 6 << 3, 0, 0]);
  const links = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => link));
  /** An empty last block, and a checksum that is wrong. */
  const wrongEnd = Buffer.concat([Buffer.alloc(6), Buffer.from([1, 0, 0]), Buffer.from("none")]);
  const textsIn = async (search: FrameSearch, bytes: Buffer): Promise<string[]> => {
    const texts: string[] = [];
    for (let at = 0; ;) {
      const found = await search.next(bytes, at, 0, true);
      if (found.text === undefined) return texts;
      texts.push(found.text.toString());
      at = found.end;
    }
  };

  it.each([
    ["is torn", Buffer.alloc(0)],
    ["is no frame", Buffer.from([7, 7, 7, 7, 7, 7, 0xff, 0xff, 0xff])],
    ["cannot be decompressed", wrongEnd],
  ])("tries a bounded part in vain, where thousands of frames end in one that %s", async (_title, end) => {
    const bytes = Buffer.concat([links(200_000), end]);
    const search = new FrameSearch();
    expect(await textsIn(search, bytes)).toEqual([]);
    expect(search.effort).toBeGreaterThan(200_000);
    expect(search.effort).toBeLessThan(12 * bytes.length);
  });

  it("finds a frame behind such ones, and in the last of them", async () => {
    const line = compressed("a line\n");
    const search = new FrameSearch();
    expect(await textsIn(search, Buffer.concat([links(50_000), wrongEnd, line, line]))).toEqual([
      "a line\n",
      "a line\n",
    ]);
    expect(await textsIn(new FrameSearch(), Buffer.concat([links(3), line]))).toEqual(["a line\n"]);
  });

  it("goes on after each try when a slice is over", async () => {
    const slices = new CountedSlices();
    await textsIn(new FrameSearch(slices), links(1000));
    expect(slices.turns).toBeGreaterThanOrEqual(1000);
  });
});

/** Bytes that cannot be compressed, the same for the same seed. */
function noise(seed: number): Buffer {
  let state = (seed % 2_147_483_646) + 1;
  return Buffer.from(
    Array.from({ length: 140_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state & 0xff;
    }),
  );
}
