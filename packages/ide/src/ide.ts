import {
  type Disk,
  labelLine,
  type Limits,
  openRegistry,
  type Owner,
  Refusal,
  type ResultId,
} from "@notesoup/ide-registry";
import { nodeDisk } from "@notesoup/ide-registry/node";
import type { Answer, Issued } from "./answer.ts";
import type { Call } from "./call.ts";
import { checkedArguments, isSoundRecord } from "./checks.ts";
import { DEFAULT_LIMITS, type IdeLimits } from "./limits.ts";
import { diff } from "./operations/diff.ts";
import { deleteText, insert, replace } from "./operations/edits.ts";
import { read } from "./operations/read.ts";
import { search } from "./operations/search.ts";
import { select } from "./operations/select.ts";
import { deleteFile, transfer, undo, write } from "./operations/whole-files.ts";
import type { PostEdit } from "./post-edit.ts";
import { type IdeToolName, ideTools } from "./schemas.ts";
import { Scope, type ScopeMode } from "./scope.ts";
import { codedFailure } from "./system-error.ts";
import { UndoMemory } from "./undo-memory.ts";
import type { Workbench } from "./workbench.ts";

/** What a host gives to open the tools of one session. */
export interface IdeOptions {
  /** Whose the references are. The root is the physical path of the worktree. */
  readonly owner: Owner;
  /** The real file system if absent; a host wraps it to take part in a lock of its own. */
  readonly disk?: Disk;
  readonly limits?: Partial<IdeLimits & Limits>;
  readonly postEdit?: PostEdit;
}

/** How a tool is called. */
export interface CallOptions {
  /** The folder that relative paths are of; the worktree's root if absent. */
  readonly cwd?: string;
  readonly signal?: AbortSignal | undefined;
  /** The script or the message that the call belongs to. Without one, the call saves by itself. */
  readonly scope?: Scope | undefined;
}

/**
 * The tools of one session. `run` and `issue` are two steps, so that a host can put its own between
 * them; `call` is both.
 */
export class Ide {
  readonly #bench: Workbench;

  constructor({ owner, disk = nodeDisk(), limits = {}, postEdit }: IdeOptions) {
    const merged = { ...DEFAULT_LIMITS, ...limits };
    this.#bench = {
      ...openRegistry(disk, limits),
      owner,
      disk,
      limits: merged,
      postEdit,
      undo: new UndoMemory(merged),
      blocked: new Set(),
      ids: new WeakMap(),
    };
  }

  /** Begins a script, whose edits are saved together, or a message of direct calls, which are each saved at once. */
  scope(mode: ScopeMode): Scope {
    return new Scope(this.#bench, mode);
  }

  /**
   * Runs a tool.
   *
   * @throws Refusal with the code of what was wrong and one next step
   */
  async run(
    tool: IdeToolName,
    args: unknown,
    { cwd = this.#bench.owner.root, signal, scope }: CallOptions = {},
  ): Promise<Answer> {
    if (scope !== undefined) return this.#operate(tool, args, { cwd, signal, scope });
    const own = this.scope("message");
    try {
      const answer = await this.#operate(tool, args, { cwd, signal, scope: own });
      const { text } = await own.end("commit", { signal });
      return withProcessing(answer, text);
    } finally {
      await own.end("discard");
    }
  }

  async #operate(tool: IdeToolName, given: unknown, call: Call): Promise<Answer> {
    try {
      return await this.#dispatch(tool, given, call);
    } catch (failure) {
      throw codedFailure(failure, ideTools[tool].writes);
    }
  }

  async #dispatch(tool: IdeToolName, given: unknown, call: Call): Promise<Answer> {
    const bench = this.#bench;
    if (call.signal?.aborted === true) throw new Refusal("cancelled", "the call was cancelled", "call again");
    if (!call.scope.isOpen) {
      throw new Refusal(
        "scope_closed",
        "the script or the message that this call belongs to has ended",
        "call in a new one",
      );
    }
    switch (tool) {
      case "read":
        return read(bench, checkedArguments(tool, given), call);
      case "search":
        return search(bench, checkedArguments(tool, given), call);
      case "select":
        return select(bench, checkedArguments(tool, given), call);
      case "replace":
        return replace(bench, checkedArguments(tool, given), call);
      case "insert":
        return insert(bench, checkedArguments(tool, given), call);
      case "delete": {
        const args = checkedArguments(tool, given);
        const target = args.find === undefined ? bench.results.resolve(args.path, bench.owner) : undefined;
        return target?.as === "path" ? deleteFile(bench, args, target.path, call) : deleteText(bench, args, call);
      }
      case "copy":
      case "move":
        return transfer(bench, tool, checkedArguments(tool, given), call);
      case "write":
        return write(bench, checkedArguments(tool, given), call);
      case "undo":
        return undo(bench, checkedArguments(tool, given), call);
      case "diff":
        return diff(bench, checkedArguments(tool, given), call);
    }
  }

  /** Gives an answer its id and its label, and takes what it stands for into the registry. */
  issue(answer: Answer): Issued {
    const { tool, facts, body, record, handle, resource, kind } = answer;
    const { results, owner, ids } = this.#bench;
    const ok = isSoundRecord(tool, record);
    const { id, text } = results.issue({
      owner,
      kind,
      body,
      ok,
      handle,
      resource,
      label: (one) => labelLine(one, { tool, ...facts }),
    });
    if (handle !== undefined) ids.set(handle, id);
    return { id, text, answer };
  }

  /** The text of a call that failed, with a label: it names nothing to work on. */
  issueFailure(tool: IdeToolName, error: unknown): { readonly id: string; readonly text: string } {
    const { results, owner } = this.#bench;
    const code = error instanceof Refusal ? error.code : "failed";
    const label = (one: ResultId): string => labelLine(one, { tool, failed: code });
    return results.issue({ owner, kind: "error", body: failureText(error), ok: false, label });
  }

  /** Runs a tool and issues its answer. @throws Refusal */
  async call(tool: IdeToolName, args: unknown, options: CallOptions = {}): Promise<Issued> {
    return this.issue(await this.run(tool, args, options));
  }

  /** Says what text of an answer was delivered at last, where others had a hand in it. Once, before its first use. */
  seal(id: string, delivered: string): void {
    this.#bench.results.seal(id as ResultId, delivered);
  }

  /** Looks at every known file after something else may have written. What moved retires. @returns how many files did */
  async sweep(): Promise<number> {
    return (await this.#bench.store.observe()).length;
  }

  /** Forgets everything: at the beginning and the end of a session, and at a reload. */
  clear(): void {
    const { store, results, undo: memory, blocked } = this.#bench;
    store.clear();
    results.clear();
    memory.clear();
    blocked.clear();
  }
}

/** What a failed call tells: one line with the code and the next step, and, where a text was not found, lines as they are now. */
export function failureText(error: unknown): string {
  if (!(error instanceof Refusal)) return `error: ${error instanceof Error ? error.message : String(error)}`;
  const { code, message, detail } = error;
  const lines = Array.isArray(detail?.["lines"]) ? detail["lines"].map(String) : [];
  return [`error: ${code}: ${message}`, ...lines].join("\n");
}

/** The lines that tell what ran after the edit: what they tell of the edit itself, the answer tells already. */
function withProcessing(answer: Answer, report: string): Answer {
  const lines = report.split("\n").filter((line) => / (?:rewrote it: |ran, and |failed: )/u.test(line));
  return lines.length === 0 ? answer : { ...answer, body: [answer.body, ...lines].join("\n") };
}

/** Opens the tools of one session. */
export function openIde(options: IdeOptions): Ide {
  return new Ide(options);
}
