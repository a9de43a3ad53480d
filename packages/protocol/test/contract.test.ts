import { describe, expect, it } from "vitest";
import { Check } from "typebox/value";
import {
  notesListTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
  REFUSAL_CODES,
  RefusalSchema,
  type ToolContract,
} from "../src/index.ts";

const tools: readonly ToolContract[] = [notesWriteTool, notesReadTool, notesUpdateTool, notesListTool, notesSearchTool];

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

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

it("keeps what the model reads of the notes tools within 5 KiB", () => {
  const read = tools.map(({ name, description, parameters }) => bytes({ name, description, parameters }));
  expect(read.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(5 * 1024);
});

it("keeps them within 9 KiB with the schemas of their results, which scripts are typed by", () => {
  const whole = tools.map(({ name, description, parameters, result }) =>
    bytes({ name, description, parameters, result }),
  );
  expect(whole.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(9 * 1024);
});

it.each([
  [undefined, true],
  ["a", true],
  ["", true],
  [["a", ""], true],
  [[], true],
  [5, false],
  [[5], false],
])("takes %j as a query: %s", (query, taken) => {
  expect(Check(notesSearchTool.parameters, query === undefined ? {} : { query })).toBe(taken);
});

it("says that a crumpled note was replaced, or nothing of it", () => {
  const receipt = { address: "a.md", applied: 0, change: "metadata", crumpled: false, updated_at: "" };
  expect(Check(notesUpdateTool.result, { ...receipt, replaced_crumpled_target: true })).toBe(true);
  expect(Check(notesUpdateTool.result, { ...receipt, replaced_crumpled_target: false })).toBe(false);
});

it("pins the refusal codes", () => {
  expect(REFUSAL_CODES).toEqual([
    "already_exists",
    "ambiguous_match",
    "empty_edit",
    "invalid_address",
    "invalid_cwd",
    "invalid_glob",
    "invalid_identity",
    "invalid_range",
    "invalid_text",
    "io",
    "locked",
    "no_match",
    "not_found",
    "not_utf8",
    "nothing_to_do",
    "outside_home",
    "output_too_large",
    "read_only",
    "too_large",
    "unknown_scope",
  ]);
  expect(Object.keys(RefusalSchema.properties)).toEqual(["error", "code"]);
});
