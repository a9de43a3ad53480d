import { describe, expect, it } from "vitest";
import { Check } from "typebox/value";
import {
  dreamBeginTool,
  dreamEndTool,
  historyListTool,
  historyReadTool,
  notesListTool,
  notesReadTool,
  notesSearchTool,
  notesUpdateTool,
  notesWriteTool,
  REFUSAL_CODES,
  RefusalSchema,
  type ToolContract,
} from "../src/index.ts";

const notesTools: readonly ToolContract[] = [
  notesWriteTool,
  notesReadTool,
  notesUpdateTool,
  notesListTool,
  notesSearchTool,
];
const historyTools: readonly ToolContract[] = [historyListTool, historyReadTool];
const tools: readonly ToolContract[] = [...notesTools, ...historyTools];
// Only a dream's own session has these, so that they weigh on no other.
const dreamTools: readonly ToolContract[] = [dreamBeginTool, dreamEndTool];

// What the code mode of every host can type; `additionalProperties` only ever closes an object, or opens a map.
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

describe.each([...tools, ...dreamTools])("the contract of $name", (tool) => {
  it("is pinned: its words and schemas change only by decision", async () => {
    await expect(
      `${JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.parameters, success: tool.success }, null, 2)}\n`,
    ).toMatchFileSnapshot(`pins/${tool.name}.json`);
  });

  it("uses only the schema words that every host can type", () => {
    for (const schema of [...schemasOf(tool.parameters), ...schemasOf(tool.result)]) {
      expect(Object.keys(schema).filter((keyword) => !PORTABLE_KEYWORDS.has(keyword))).toEqual([]);
      expect(schema["additionalProperties"] ?? false).toBeTypeOf("boolean");
    }
  });

  it("takes no undeclared property, save in the open maps of a note's own frontmatter and of counts by tool", () => {
    const objects = [...schemasOf(tool.parameters), ...schemasOf(tool.success)].filter(
      ({ properties }) => properties !== undefined,
    );
    expect(objects.map((schema) => schema["additionalProperties"])).toEqual(objects.map(() => false));
  });

  it("takes no parameter name that a host has taken", () => {
    expect(Object.keys(tool.parameters.properties).filter((name) => TAKEN_NAMES.includes(name))).toEqual([]);
  });

  it("has its fields at the root: no envelope, no window, and no error, which is a refusal's alone", () => {
    const fields = Object.keys(tool.success.properties);
    expect(fields.filter((name) => ["ok", "data", "window", "error", "code"].includes(name))).toEqual([]);
    expect(Check(tool.result, { ok: true, data: {} })).toBe(false);
    expect(Check(tool.result, { ok: false, error: { code: "not_found", message: "" } })).toBe(false);
  });

  it("names things on the wire in snake_case", () => {
    const names = [...schemasOf(tool.parameters), ...schemasOf(tool.success)].flatMap(({ properties }) =>
      Object.keys(properties ?? {}),
    );
    expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)*$/u.test(name))).toEqual([]);
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

it.each(notesTools)("takes in $name a folder whose project is meant for one call, and does without", (tool) => {
  expect(tool.parameters.properties).toHaveProperty("cwd.type", "string");
  expect(tool.parameters.required ?? []).not.toContain("cwd");
});

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const KIB = 1024;

it.each([
  { name: "the notes tools", tools: notesTools, kib: 5 },
  { name: "the history tools", tools: historyTools, kib: 3 },
  { name: "all tools", tools, kib: 8 },
  { name: "the dream tools", tools: dreamTools, kib: 1.5 },
])("keeps what the model reads of $name within $kib KiB", ({ tools: some, kib }) => {
  const read = some.map(({ name, description, parameters }) => bytes({ name, description, parameters }));
  expect(read.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(kib * KIB);
});

it.each([
  { name: "the notes tools", tools: notesTools, kib: 9 },
  { name: "the history tools", tools: historyTools, kib: 7 },
])(
  "keeps $name within $kib KiB with the schemas of their results, which scripts are typed by",
  ({ tools: some, kib }) => {
    const whole = some.map(({ name, description, parameters, result }) =>
      bytes({ name, description, parameters, result }),
    );
    expect(whole.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(kib * KIB);
  },
);

it.each([
  [undefined, true],
  ["a", true],
  ["", true],
  [["a", ""], true],
  [[], true],
  [5, false],
  [[5], false],
])("takes %j as a query: %s", (query, taken) => {
  for (const { parameters } of [notesSearchTool, historyListTool])
    expect(Check(parameters, query === undefined ? {} : { query })).toBe(taken);
});

it.each([notesListTool, notesSearchTool])("selects in $name by glob alone: there is no scope and no who", (tool) => {
  expect(Check(tool.parameters, { glob: "@project/**" })).toBe(true);
  for (const former of ["scope", "who", "offset", "cursor"])
    expect(Check(tool.parameters, { [former]: "human" })).toBe(false);
});

it.each([notesListTool, notesSearchTool])("tells in $name what is unavailable by these names alone", (tool) => {
  const result = { files: [], more: 0 };
  expect(Check(tool.result, { ...result, namespaces_unavailable: ["@self"], notes_unavailable: [] })).toBe(true);
  expect(Check(tool.result, { ...result, homes_unavailable: ["@self"] })).toBe(false);
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
    "ambiguous_session",
    "audit_unavailable",
    "changed_since",
    "dream_aborted",
    "dream_locked",
    "empty_edit",
    "gate_closed",
    "invalid_address",
    "invalid_cwd",
    "invalid_glob",
    "invalid_identity",
    "invalid_range",
    "invalid_text",
    "invalid_time",
    "io",
    "locked",
    "no_match",
    "not_found",
    "not_utf8",
    "nothing_to_do",
    "out_of_scope",
    "outside_home",
    "output_too_large",
    "page_too_large",
    "read_only",
    "seq_not_found",
    "session_not_found",
    "session_unreadable",
    "too_large",
    "unknown_scope",
    "wildcard_bounds",
  ]);
  expect(Object.keys(RefusalSchema.properties)).toEqual(["error", "code"]);
});
