import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultHistoryRoots } from "@notesoup/history";
import * as protocol from "@notesoup/protocol";
import { describe, expect, it } from "vitest";
import { checkDocumentLinks } from "../src/document-links.ts";
import { checkDocumentNames } from "../src/document-names.ts";
import {
  checkCodesTable,
  checkFieldsTable,
  checkLayersTable,
  checkPackagesTable,
  checkPagesTable,
  checkSessionsTable,
  type DescribedTool,
} from "../src/document-tables.ts";
import { report } from "../src/finding.ts";
import { workspaceRoot } from "./workspace-root.ts";

const isRepository = existsSync(join(workspaceRoot, ".git"));

const tools = Object.values(protocol).filter(
  (exported): exported is DescribedTool & typeof exported => typeof exported === "object" && "parameters" in exported,
);

describe.skipIf(!isRepository)("the documents", () => {
  it("name files, names of the code, and scripts that are there", async () => {
    expect(report(await checkDocumentNames(workspaceRoot))).toEqual([]);
  });

  it("link to what is there", async () => {
    expect(report(await checkDocumentLinks(workspaceRoot))).toEqual([]);
  });

  it("tell the layers as the lint has them", async () => {
    expect(report(await checkLayersTable(workspaceRoot))).toEqual([]);
  });

  it("tell every package, and every page", async () => {
    expect(report(await checkPackagesTable(workspaceRoot))).toEqual([]);
    expect(report(await checkPagesTable(workspaceRoot))).toEqual([]);
  });

  it("tell every code and every field of the protocol", async () => {
    expect(tools.map(({ name }) => name)).toContain("notes_read");
    expect(report(await checkCodesTable(workspaceRoot, protocol.REFUSAL_CODES))).toEqual([]);
    expect(report(await checkFieldsTable(workspaceRoot, tools))).toEqual([]);
  });

  it("tell where each harness keeps its sessions", async () => {
    const folders = defaultHistoryRoots({ home: "~", env: {} });
    expect(report(await checkSessionsTable(workspaceRoot, { ...folders }))).toEqual([]);
  });
});
