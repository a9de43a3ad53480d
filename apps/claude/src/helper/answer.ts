import { failure, type HelperAnswer } from "../transport/answer.ts";
import {
  HISTORY_TOOLS,
  type HelperRequest,
  type HistoryTool,
  NOTES_TOOLS,
  type NotesTool,
} from "../transport/request.ts";
import { BadSetting } from "./bad-setting.ts";
import { NOTES_CALLS } from "./notes-calls.ts";

/** Answers a request. Never throws: what is not foreseen is an answer too. */
export async function answer(body: string): Promise<HelperAnswer> {
  try {
    return (await answerTo(JSON.parse(body) as Partial<HelperRequest> | null)) ?? NOTHING_KNOWN;
  } catch (error) {
    if (error instanceof BadSetting) return failure(error.code, error.message);
    return failure("internal", error instanceof Error ? error.message : String(error));
  }
}

const NOTHING_KNOWN = failure("bad_request", "the helper of notesoup was asked for nothing that it knows");

/** The two sides are of one build: what says what it is, is it. What history needs is loaded for it. */
async function answerTo(request: Partial<HelperRequest> | null): Promise<HelperAnswer | undefined> {
  if (request?.session === undefined) return undefined;
  const { session } = request;
  if (request.kind === "boot") {
    const { boot } = await import("./boot.ts");
    return boot({ kind: "boot", begins: request.begins ?? "before", session });
  }
  if (request.kind !== "call") return undefined;
  const { tool, args } = request;
  if (isNotesTool(tool)) return NOTES_CALLS[tool](session, args);
  if (isHistoryTool(tool)) return (await import("./history-calls.ts")).HISTORY_CALLS[tool](session, args);
  return undefined;
}

function isNotesTool(tool: unknown): tool is NotesTool {
  return NOTES_TOOLS.some((name) => name === tool);
}

function isHistoryTool(tool: unknown): tool is HistoryTool {
  return HISTORY_TOOLS.some((name) => name === tool);
}
