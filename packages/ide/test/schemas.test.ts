import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Check } from "typebox/value";
import { REFUSAL_CODES } from "@notesoup/ide-registry";
import { checkedArguments, isSoundRecord } from "../src/checks.ts";
import { ideTools, type IdeTool, recordSchemas } from "../src/schemas.ts";

const tools: readonly IdeTool[] = Object.values(ideTools);

/** What the code mode of every host can type; the last three only bound a value. */
const PORTABLE_KEYWORDS = new Set([
  "type",
  "oneOf",
  "enum",
  "properties",
  "required",
  "items",
  "description",
  "additionalProperties",
  "minimum",
  "minLength",
]);

function keywordsOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, oneOf = [], items, ...rest } = schema as Record<string, unknown>;
  return [
    ...Object.keys(rest),
    ...[...Object.values(properties as object), ...(oneOf as unknown[]), items].flatMap(keywordsOf),
  ];
}

describe("the contract", () => {
  it.each(Object.entries(ideTools))("of %s is what it was", async (name, { parameters, description, writes }) => {
    expect(ideTools).toHaveProperty([name, "name"], name);
    const contract = { description, writes, parameters, record: recordSchemas[name as keyof typeof recordSchemas] };
    await expect(`${JSON.stringify(contract, undefined, 2)}\n`).toMatchFileSnapshot(`./pins/${name}.json`);
  });

  it("can be typed by every host", () => {
    for (const { name, parameters } of tools) {
      expect(
        [...new Set(keywordsOf(parameters))].filter((word) => !PORTABLE_KEYWORDS.has(word)),
        name,
      ).toEqual([]);
    }
  });

  it("takes no argument that it does not name", () => {
    expect(() => checkedArguments("read", { path: "a", other: 1 })).toThrow(
      expect.objectContaining({ code: "invalid_arguments" }),
    );
    expect(() => checkedArguments("read", {})).toThrow(expect.objectContaining({ code: "invalid_arguments" }));
    expect(checkedArguments("read", { path: "a" })).toEqual({ path: "a" });
  });

  it("of a record keeps file contents out of it, by form and by size", () => {
    const receipt = { operation: "replace", effect: "applied", files: [], ranges: 1 };
    expect(isSoundRecord("replace", receipt)).toBe(true);
    expect(isSoundRecord("replace", { ...receipt, text: "x" })).toBe(false);
    const files = Array.from({ length: 1_000 }, () => ({ path: "x".repeat(60), before: "unknown", after: "unknown" }));
    expect(Check(recordSchemas.replace, { ...receipt, files })).toBe(true);
    expect(isSoundRecord("replace", { ...receipt, files })).toBe(false);
  });
});

describe("the codes of refusals", () => {
  it("are these, and each is reached by a test", () => {
    expect(REFUSAL_CODES).toMatchInlineSnapshot(`
      [
        "unknown_reference",
        "retired_reference",
        "pending_reference",
        "rejected_reference",
        "foreign_session",
        "foreign_worktree",
        "altered_result",
        "not_consumable",
        "wrong_kind",
        "incomplete",
        "outside_scope",
        "stale_source",
        "source_missing",
        "source_moved",
        "not_found",
        "not_utf8",
        "binary",
        "too_large",
        "unreadable",
        "invalid_range",
        "splits_code_point",
        "splits_crlf",
        "ill_formed_text",
        "text_not_found",
        "text_ambiguous",
        "exact_text_blocked",
        "overlap",
        "conflict_on_disk",
        "scope_closed",
        "cancelled",
        "write_failed",
        "label_in_text",
        "destination_exists",
        "needs_recursive",
        "changed_since",
        "invalid_arguments",
        "empty_query",
        "unmatched",
        "syntax_error",
        "engine_missing",
      ]
    `);
    const folders = [import.meta.dirname, `${import.meta.dirname}/../../ide-registry/test`];
    const tests = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".test.ts") && name !== "schemas.test.ts")
        .map((name) => readFileSync(`${folder}/${name}`, "utf8")),
    );
    expect(REFUSAL_CODES.filter((code) => !tests.some((text) => text.includes(`"${code}"`)))).toEqual([]);
  });
});
