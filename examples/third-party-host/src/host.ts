import { renderBoot, takeBootSnapshot } from "@notesoup/boot";
import { countdown, formatTokens, lastWordText, preResetHint, reminderText, remainingTokens } from "@notesoup/budget";
import { createHistoryCorpus, type HistoryRoots } from "@notesoup/history";
import type { NotesIdentity } from "@notesoup/notes";
import * as contracts from "@notesoup/protocol";
import * as operations from "@notesoup/tools";
import { type Static, type TObject, Type } from "typebox";
import { complete, type Message, type Model, type OfferedTool } from "./chat.ts";

/** An agent of this host: its model, and its memory. */
interface Agent {
  readonly model: Model;
  /** Tokens that the model's context window holds, and those kept free for an answer. */
  readonly budget: { readonly contextWindow: number; readonly reserveTokens: number };
  readonly identity: NotesIdentity;
  readonly cwd: string;
  /** Where the other hosts of this machine keep their sessions. */
  readonly roots: HistoryRoots;
}

/** A tool: what the model is told of it, and the text that it answers with. */
interface Tool {
  readonly contract: OfferedTool;
  call(args: unknown): Promise<string>;
}

/** An operation as a tool: what the model gives is checked at the door. */
function tool<Parameters extends TObject>(
  contract: contracts.ToolContract<Parameters>,
  run: (args: Static<Parameters>) => Promise<operations.Answer<unknown>>,
): Tool {
  return {
    contract,
    async call(args) {
      const checked = contracts.checkArguments(contract, args);
      return checked.ok ? (await run(checked.args)).text : checked.message;
    },
  };
}

/** What the texts of boot and budget call the tools. */
const tools = {
  notesRead: "notes_read",
  notesWrite: "notes_write",
  notesUpdate: "notes_update",
  notesList: "notes_list",
  notesSearch: "notes_search",
  historyList: "history_list",
  historyRead: "history_read",
  remaining: "tokens_left",
};
/** This host empties no window: each run is one. */
const hint = { tools: { ...tools, write: tools.notesWrite, update: tools.notesUpdate }, autoReset: false };

/** Lets the agent work on a prompt until it calls no tool any more, and gives its last words. */
export async function runAgent({ model, budget, identity, cwd, roots }: Agent, prompt: string): Promise<string> {
  const notes = operations.notesToolContext(identity, cwd);
  const history = operations.historyToolContext({ corpus: () => createHistoryCorpus({ roots }) });
  const window = { ...budget, windowId: identity.sessionId, autoReset: false, usedTokens: 0 };
  const left = { name: tools.remaining, description: "Tokens left in this window.", parameters: Type.Object({}) };
  const offered = [
    tool(contracts.notesReadTool, (args) => operations.notesRead(notes, args)),
    tool(contracts.notesWriteTool, (args) => operations.notesWrite(notes, args)),
    tool(contracts.notesUpdateTool, (args) => operations.notesUpdate(notes, args)),
    tool(contracts.notesListTool, (args) => operations.notesList(notes, args)),
    tool(contracts.notesSearchTool, (args) => operations.notesSearch(notes, args)),
    tool(contracts.historyListTool, (args) => operations.historyList(history, args)),
    tool(contracts.historyReadTool, (args) => operations.historyRead(history, args)),
    { contract: left, call: async () => formatTokens(remainingTokens(window) ?? 0) },
  ];

  // A window begins with what the agent knows: its notes.
  const snapshot = await takeBootSnapshot({ identity, capturedAt: Date.now() });
  const messages: Message[] = [
    { role: "system", content: `${renderBoot(snapshot, { tools })}\n\n${preResetHint(hint)}` },
    { role: "user", content: prompt },
  ];
  const contractsOffered = offered.map(({ contract }) => contract);
  for (const said: string[] = []; ;) {
    const { message, totalTokens } = await complete(model, messages, contractsOffered);
    messages.push(message);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content ?? "";
    for (const { id, function: called } of calls) {
      const found = offered.find(({ contract }) => contract.name === called.name);
      const content = (await found?.call(parsed(called.arguments))) ?? `error: there is no tool ${called.name}`;
      messages.push({ role: "tool", tool_call_id: id, content });
    }
    // What is left, in the words of the budget, once when a line is crossed.
    window.usedTokens = totalTokens;
    const due = countdown(said, window);
    if (due === null) continue;
    said.push(due.fingerprint);
    const text = due.kind === "reminder" ? reminderText : lastWordText;
    messages.push({ role: "user", content: text({ ...hint, remainingTokens: due.remainingTokens }) });
  }
}

/** What a model gives as arguments; nothing where that is no JSON, which checking them then tells. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
