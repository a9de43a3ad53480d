import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import type { HelperAnswer } from "../src/transport/answer.ts";
import type { HelperRequest, HelperTool, SessionFacts } from "../src/transport/request.ts";

/** A session in a folder of the running test's own: with notes, a project and a transcript that are not there yet. */
export async function sessionOfTest(facts: Partial<SessionFacts> = {}): Promise<SessionFacts> {
  const root = await temporaryFolder();
  const baseCwd = join(root, "project");
  await Promise.all([baseCwd, join(root, "projects", "-project")].map((path) => mkdir(path, { recursive: true })));
  return {
    sessionId: "11111111-1111-4111-8111-111111111111",
    baseCwd,
    model: "some-model",
    transcriptPath: join(root, "projects", "-project", "11111111-1111-4111-8111-111111111111.jsonl"),
    head: null,
    notesHome: join(root, "notes"),
    agent: null,
    ...facts,
  };
}

/** A call as it goes over the transport. */
export function callOf(session: SessionFacts, tool: HelperTool, args: unknown): string {
  return JSON.stringify({ kind: "call", tool, args, session } satisfies HelperRequest);
}

/** The code of an answer that is none of success; `ok` of one that is. */
export function codeOf(answer: HelperAnswer): string {
  if (answer.kind === "failure") return answer.line.split(": ")[1] ?? "";
  if (answer.kind === "outcome" && !answer.outcome.ok) return answer.outcome.error.code;
  return "ok";
}
