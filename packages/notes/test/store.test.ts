import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { NotesStore } from "../src/index.ts";
import { PROJECT, refusal, type StoreFixture, storeFixture } from "./store-fixture.ts";

let fixture: StoreFixture;

beforeEach(async () => {
  fixture = await storeFixture();
});

/** As a caller gives it whose types nobody checks. */
function untyped(value: unknown): never {
  return value as never;
}

/** An object that cannot even be shown as text. */
const bare: unknown = Object.create(null);

describe("what cannot be done", () => {
  it.each([null, 5, "zz", {}, { oldText: 1, newText: "x" }])(
    "is an edit by %j: it is refused as no text, with its index",
    async (edit) => {
      await fixture.store.write("a", "body");
      expect(await refusal(fixture.store.update("a", untyped([edit])))).toMatchObject({
        code: "invalid_text",
        editIndex: 0,
      });
    },
  );

  it("is to write or search for what is far too long: that is refused by its length, in a short message", async () => {
    const long = `\ud800${"x".repeat(3_000_000)}`;
    for (const refused of [fixture.store.write("a", long), fixture.store.search([long])]) {
      const error = await refusal(refused);
      expect(error.code).toBe("too_large");
      expect(error.message.length).toBeLessThan(250);
    }
    expect((await refusal(fixture.store.write("a", long))).message).toContain("a.md has at least 3000001 bytes");
  });

  it.each<[string, (of: NotesStore) => Promise<unknown>, string]>([
    ["a write", (of) => of.write("../a", "x"), "invalid_address"],
    ["a write of no text", (of) => of.write("a", 5 as unknown as string), "invalid_text"],
    ["a read", (of) => of.read("@head"), "unknown_scope"],
    ["an update", (of) => of.update("", [], { crumpled: true }), "invalid_address"],
    ["a rename", (of) => of.rename("a", "a\\b"), "invalid_address"],
    ["a rename of nothing", (of) => of.rename("a", "b"), "not_found"],
    ["a list", (of) => of.list({ glob: "" }), "invalid_glob"],
    ["a search", (of) => of.search(["x"], { glob: "[b-a]" }), "invalid_glob"],
    ["a write with null for options", (of) => of.write("a", "x", untyped(null)), "invalid_text"],
    ["a write with text for options", (of) => of.write("a", "x", untyped("user")), "invalid_text"],
    ["a write with an origin without a form", (of) => of.write("a", "x", untyped({ origin: bare })), "invalid_text"],
    ["an update that crumples by text", (of) => of.update("a", [], untyped({ crumpled: "false" })), "invalid_text"],
    ["an update that crumples by null", (of) => of.update("a", [], untyped({ crumpled: null })), "invalid_text"],
    ["an update of all by a number", (of) => of.update("a", [], untyped({ replaceAll: 1 })), "invalid_text"],
    ["an update to null", (of) => of.update("a", [], untyped({ renameTo: null })), "invalid_address"],
    ["an update with text for edits", (of) => of.update("a", untyped("zz")), "invalid_text"],
    ["an update with null for edits", (of) => of.update("a", untyped(null)), "invalid_text"],
    ["an update with null for options", (of) => of.update("a", [], untyped(null)), "invalid_text"],
    ["an update with too many edits", (of) => of.update("a", untyped(Array(100_001))), "too_large"],
    ["a list of null", (of) => of.list(untyped(null)), "invalid_text"],
    ["a list of text", (of) => of.list(untyped("@human/**")), "invalid_text"],
    ["a list of crumpled by text", (of) => of.list(untyped({ crumpled: "false" })), "invalid_text"],
    ["a list of null for a glob", (of) => of.list(untyped({ glob: null })), "invalid_glob"],
    ["a list that tells its status to no function", (of) => of.list(untyped({ onStatus: true })), "invalid_text"],
    ["a search for text that is no list", (of) => of.search(untyped("library")), "invalid_text"],
    ["a search for nothing at all", (of) => of.search(untyped(undefined)), "invalid_text"],
    ["a search for a number", (of) => of.search(untyped(["a", 1])), "invalid_text"],
    ["a search for undefined", (of) => of.search(untyped(["a", undefined])), "invalid_text"],
    ["a search for a gap", (of) => of.search(untyped(Array(3))), "invalid_text"],
    ["a search with null for a query", (of) => of.search(["a"], untyped(null)), "invalid_text"],
    ["a search for too many texts", (of) => of.search(Array.from({ length: 100_001 }, () => "")), "too_large"],
    ["a read of a number", (of) => of.read(untyped(5)), "invalid_address"],
  ])("rejects with a code, and is not thrown: %s", async (_what, call, code) => {
    let rejected: Promise<unknown> | undefined;
    expect(() => {
      rejected = call(fixture.store);
    }).not.toThrow();
    expect((await refusal(rejected ?? Promise.resolve())).code).toBe(code);
  });
});

describe("a body", () => {
  it("survives writing, reading, and overwriting byte for byte, whatever it is", async () => {
    const anyBody = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("---\n", "\r\n", "\n", "\r", "a: 1\n", "\ufeff", "😀", "\0", "é", "e\u0301"),
        maxLength: 12,
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyBody, anyBody, async (first, second) => {
        fc.pre(first.isWellFormed() && second.isWellFormed());
        for (const body of [first, second]) {
          await fixture.store.write("@project/any", body);
          expect((await fixture.store.read("@project/any"))?.body).toBe(body);
          expect(
            readFileSync(join(fixture.home, PROJECT, "any.md"))
              .subarray(-Buffer.byteLength(body) || Infinity)
              .toString("utf8"),
          ).toBe(body);
        }
      }),
      { numRuns: 150 },
    );
  });
});
