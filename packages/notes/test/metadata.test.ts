import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { scalarOf } from "../src/change-mapping.ts";
import { metaOf } from "../src/metadata.ts";
import { readMapping } from "../src/read-mapping.ts";

const times = { birthtime: new Date("2026-01-02T00:00:00.000Z"), mtime: new Date("2026-01-01T00:00:00.000Z") };
const meta = (block: string) => metaOf(readMapping(block), times);

describe("metadata", () => {
  it("of a file without frontmatter are defaults, with the file's times", () => {
    expect(metaOf(undefined, times)).toEqual({
      origin: "external",
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      accessCount: 0,
      extra: {},
    });
  });

  it("are read in camelCase", () => {
    const block =
      "origin: user\ncreatedAt: 2026-11-30T09:00:00.000Z\nupdatedAt: 2026-11-30T09:05:12.004Z\nlastAccessed: 2026-11-30T10:00:00.000Z\naccessCount: 3\ncrumpledAt: 2026-11-30T11:00:00.000Z\nproject: app-0a1b2c3d\n";
    expect(meta(block)).toEqual({
      origin: "user",
      createdAt: "2026-11-30T09:00:00.000Z",
      updatedAt: "2026-11-30T09:05:12.004Z",
      lastAccessed: "2026-11-30T10:00:00.000Z",
      accessCount: 3,
      crumpledAt: "2026-11-30T11:00:00.000Z",
      project: "app-0a1b2c3d",
      extra: {},
    });
  });

  it("leave every other key an ordinary extra, old snake_case ones too", () => {
    expect(meta("created_at: x\nscope: y\ntype: z\nv: 1.20\nt: 10:00\n").extra).toEqual({
      created_at: "x",
      scope: "y",
      type: "z",
      v: 1.2,
      t: "10:00",
    });
  });

  it("keep __proto__ as ordinary data", () => {
    const { extra } = meta("__proto__: {x: 1}\n");
    expect(JSON.stringify(extra)).toBe('{"__proto__":{"x":1}}');
    expect((extra as { x?: unknown }).x).toBeUndefined();
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("take other spellings of a moment, and none that means another one elsewhere", () => {
    expect(meta("createdAt: 2026-03-16\n").createdAt).toBe("2026-03-16T00:00:00.000Z");
    expect(meta("createdAt: 2026-03-16 10:00:00+02:00\n").createdAt).toBe("2026-03-16T08:00:00.000Z");
    expect(meta("createdAt: 2026-03-16T10:00:00\n").createdAt).toBe("2026-01-01T00:00:00.000Z");
  });

  it("of a file with frontmatter take its time of change for its birth, which counting an access resets", () => {
    expect(meta("title: x\n").createdAt).toBe("2026-01-01T00:00:00.000Z");
    const older = { birthtime: new Date("2025-01-01T00:00:00.000Z"), mtime: times.mtime };
    expect(metaOf(readMapping("title: x\n"), older).createdAt).toBe("2026-01-01T00:00:00.000Z");
    expect(metaOf(undefined, older).createdAt).toBe("2025-01-01T00:00:00.000Z");
  });

  it.each([
    "origin: robot",
    "createdAt: soon",
    "updatedAt: 2026-99-99",
    "accessCount: -1",
    "accessCount: many",
    "accessCount: 1.5",
    "crumpledAt: true",
    "crumpledAt: null",
    "project: ../x",
    "project: [a]",
  ])("fall back to the default for %s", (line) => {
    expect(meta(`${line}\n`)).toEqual({ ...metaOf(undefined, times), extra: {} });
  });

  it.each(["9999-12-31T23:30:00-01:00", "0000-01-01T00:30:00+01:00"])(
    "take no time whose UTC form leaves the years 0000 to 9999: %s",
    (time) => {
      const block = ["createdAt", "updatedAt", "lastAccessed", "crumpledAt"].map((key) => `${key}: ${time}\n`).join("");
      expect(meta(block)).toEqual(metaOf(undefined, times));
    },
  );

  it.each(["9999-12-31T23:59:59.999Z", "0000-01-01T00:00:00.000Z"])("take a time at the bounds: %s", (time) => {
    expect(meta(`updatedAt: ${time}\n`).updatedAt).toBe(time);
  });

  it.each([new Date(Number.NaN), new Date(8.64e15), new Date(-8.64e15)])(
    "of a file with a time that is out of order with all others have the beginning of the epoch",
    (time) => {
      expect(metaOf(undefined, { birthtime: time, mtime: time })).toMatchObject({
        createdAt: "1970-01-01T00:00:00.000Z",
        updatedAt: "1970-01-01T00:00:00.000Z",
      });
    },
  );

  it("of several lines with one key take the last", () => {
    expect(meta("origin: self\norigin: user\n").origin).toBe("user");
  });
});

describe("a value that the store writes", () => {
  it("is read as the same text by the scan and by YAML", () => {
    const name = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/u),
      fc.constantFrom("1e-12345678", "true", "No", "0x1F", "123", "1.5", "null", "2026-01-01"),
    );
    fc.assert(
      fc.property(name, (value) => {
        const block = `project: ${scalarOf(value)}\n`;
        expect(parse(block)).toEqual({ project: value });
        expect(readMapping(block)?.entries[0]?.value).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });
});
