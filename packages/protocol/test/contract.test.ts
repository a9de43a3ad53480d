import { describe, expect, it } from "vitest";
import { Check } from "typebox/value";
import { notesReadTool, notesWriteTool, REFUSAL_CODES, RefusalSchema, type ToolContract } from "../src/index.ts";

const tools: readonly ToolContract[] = [notesWriteTool, notesReadTool];

// What the code mode of every host can type; `additionalProperties` only ever closes an object.
const PORTABLE_KEYWORDS = new Set([
  "type",
  "oneOf",
  "enum",
  "const",
  "properties",
  "required",
  "items",
  "description",
  "additionalProperties",
]);
// Claude Code takes these names for itself.
const TAKEN_NAMES = ["tool", "tool_use_id", "agentId", "requestMeta", "consent"];

function schemasOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== "object" || schema === null) return [];
  const record = schema as Record<string, unknown>;
  const below = [
    ...Object.values(record["properties"] ?? {}),
    ...((record["oneOf"] as unknown[] | undefined) ?? []),
    record["items"],
  ];
  return [record, ...below.flatMap(schemasOf)];
}

describe.each(tools)("the contract of $name", (tool) => {
  it("is pinned: its words and schemas change only by decision", async () => {
    await expect(
      `${JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters, success: tool.success }, null, 2)}\n`,
    ).toMatchFileSnapshot(`pins/${tool.name}.json`);
  });

  it("uses only the schema words that every host can type", () => {
    for (const schema of [...schemasOf(tool.parameters), ...schemasOf(tool.result)]) {
      expect(Object.keys(schema).filter((keyword) => !PORTABLE_KEYWORDS.has(keyword))).toEqual([]);
    }
  });

  it("takes no undeclared property, save in the open map of a note's own frontmatter", () => {
    const objects = [...schemasOf(tool.parameters), ...schemasOf(tool.success)].filter(
      ({ properties }) => properties !== undefined,
    );
    expect(objects.map((schema) => schema["additionalProperties"])).toEqual(objects.map(() => false));
  });

  it("takes no parameter name that a host has taken", () => {
    expect(Object.keys(tool.parameters.properties).filter((name) => TAKEN_NAMES.includes(name))).toEqual([]);
  });

  it("describes every parameter or names it plainly", () => {
    const undescribed = Object.entries(tool.parameters.properties).filter(([, schema]) => !("description" in schema));
    expect(undescribed).toEqual([]);
  });

  it("accepts a refusal as a result", () => {
    expect(Check(tool.result, { error: "no note at @project/a.md", code: "not_found" })).toBe(true);
    expect(Check(tool.result, { error: "no code" })).toBe(false);
  });
});

it("keeps the words and schemas of the notes tools small", () => {
  const bytes = tools.reduce(
    (sum, { name, description, parameters, result }) =>
      sum + Buffer.byteLength(JSON.stringify({ name, description, parameters, result })),
    0,
  );
  expect(bytes).toBeLessThanOrEqual(5 * 1024);
});

it("pins the refusal codes", () => {
  expect(REFUSAL_CODES).toEqual([
    "invalid_address",
    "invalid_cwd",
    "invalid_identity",
    "invalid_range",
    "invalid_text",
    "io",
    "not_found",
    "not_utf8",
    "outside_home",
    "output_too_large",
    "read_only",
    "too_large",
    "unknown_scope",
  ]);
  expect(Object.keys(RefusalSchema.properties)).toEqual(["error", "code"]);
});
