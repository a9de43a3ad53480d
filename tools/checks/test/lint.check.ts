import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runChild } from "../src/child.ts";
import { readJson } from "../src/workspace.ts";
import { workspaceRoot } from "./workspace-root.ts";

const { scripts } = readJson(join(workspaceRoot, "package.json")) as { scripts: Record<string, string> };
const parts = Object.keys(scripts).filter((name) => name.startsWith("lint:"));

describe.concurrent("the sources pass the lint", () => {
  it.each(parts)("%s", async (script) => {
    const { status, output } = await runChild(workspaceRoot, "npm", ["run", script]);
    expect(status, output).toBe(0);
  });
});

it("the script lint runs each of its parts", () => {
  expect(parts.filter((name) => !scripts["lint"]?.includes(`npm run ${name}`))).toEqual([]);
});
