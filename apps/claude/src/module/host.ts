/**
 * The part of Claude Code's plugin API that this plugin uses, in its own words: what a hook is given
 * as `$`. The host reads the bundle before it loads it, and takes `$` only where it stands as
 * `$.noun.event(…)`, or is handed to a function at the top of a file.
 */
export interface Host {
  readonly tool: { register(tool: ToolSpec): Promise<unknown> };
  readonly command: { run(command: { readonly command: string }): Promise<unknown> };
  readonly process: {
    /** Runs a program to its end; rejects where it cannot be started, or takes too long. */
    run(argv: readonly string[], init: RunInit): Promise<RunResult>;
    /** Runs a program as long as somebody reads what it prints. */
    spawn(request: { readonly argv: readonly string[]; readonly cwd: string }): AsyncIterable<Printed>;
  };
  readonly http: { fetch(url: string, init: FetchInit): Promise<{ readonly status: number; readonly text: string }> };
  readonly session: {
    id(): Promise<string>;
    root(): Promise<string>;
    model(): Promise<string>;
    info(): Promise<{ readonly transcriptPath: string; readonly platform?: string }>;
    messages(which: { readonly last: number }): Promise<readonly HostMessage[]>;
    usage(how?: { readonly breakdown: "summary" }): Promise<{ readonly context: ContextUsage }>;
    machine(): Promise<{ readonly runtimes: readonly string[] }>;
    compact(how: object): Promise<unknown>;
    /** Puts a note of the plugin into the next request. */
    append(row: {
      readonly message: {
        readonly type: "user";
        readonly content: readonly { readonly type: "text"; readonly text: string }[];
      };
    }): Promise<unknown>;
  };
  readonly store: { get(key: string): Promise<unknown>; set(key: string, value: unknown): Promise<void> };
  readonly ui: { invalidate(event: string): unknown; log(text: string): unknown };
  readonly plugin: { readonly root: string };
}

/** A tool as the host takes it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** `false`: the model has it from the first request on. */
  readonly isDeferred: false;
}

interface RunInit {
  readonly stdin: string;
  readonly cwd: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Printed {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

interface FetchInit {
  readonly method: string;
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A message of the conversation, as the host sums it up. */
export interface HostMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly toolUses: readonly unknown[];
  readonly toolResults?: readonly unknown[];
  /** The id of its row in the transcript. */
  readonly uuid?: string;
  /** Stands for the host's own message where a list of messages is handed back. */
  readonly handle?: string;
}

/** How full the window is. All numbers are tokens. */
export interface ContextUsage {
  /** What the last answer was given over; absent before the first one, and behind a compaction. */
  readonly tokens?: number;
  readonly window: number;
  readonly breakdown?: {
    /** The window that is compacted, which may be smaller than the model's. */
    readonly rawMaxTokens?: number;
    /** Where it is compacted; absent where it is not, before the model refuses. */
    readonly autoCompactThreshold?: number;
    readonly isAutoCompactEnabled?: boolean;
  };
}

/** What goes on behind a hook: the other plugins, and the host. */
export type Next<Event, Result> = ((event: Event) => Promise<Result>) & {
  /** In a `catch`: what was thrown. */
  readonly error?: { readonly message: string };
};

/** A hook. */
export type Hook<Event, Result> = ($: Host, event: Event, next: Next<Event, Result>) => Promise<Result> | Result;

/** A call of a tool: its arguments, flat, and these. */
export interface ToolCall {
  readonly tool: string;
  readonly tool_use_id: string;
  readonly agentId?: string;
  readonly [argument: string]: unknown;
}

/** What a call came to. */
export type ToolAnswer =
  | { readonly result: string; readonly isError?: true }
  /** The model gets the text as an error. */
  | { readonly deny: string };

/** A row that is about to be kept. */
export interface AppendedRow {
  readonly message: { readonly content: readonly AppendedBlock[] };
}

interface AppendedBlock {
  readonly type: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
}

/** What the first message of a conversation carries. */
export interface ContextBlocks {
  readonly blocks: readonly { readonly name: string; readonly text: string }[];
}

/** A text that the host puts into a request by itself. */
export interface Attachment {
  readonly type: string;
  readonly text: string | null;
  /** The subagent whose request it is; absent on the main conversation. */
  readonly agentId?: string;
}

/** What goes into the request; `null` for nothing. */
export interface AttachmentText {
  readonly text: string | null;
}

/** A compaction that is about to be. */
export interface Compaction {
  readonly trigger: "manual" | "auto" | "plugin" | "precompute";
  /** The subagent whose conversation it is; absent on the main one. */
  readonly agentId?: string;
  /** What a person has said about it. */
  readonly instructions?: string;
  readonly messages: readonly HostMessage[];
}

/** What a compaction comes to: the conversation behind it, or why there is none. */
export type Compacted = { readonly messages: readonly HostMessage[] } | { readonly skip: string };

/** What a person's command shows. */
export interface CommandOutput {
  readonly text?: string;
  readonly isTextDisplayOnly?: true;
}

/** A turn that is over. */
export interface CompletedTurn {
  readonly agentId?: string;
  readonly isAborted: boolean;
  readonly reason?: string;
}

/** What a settings hook is given, and what it may answer. */
export interface ClassicEvent {
  readonly agent_id?: string;
}

export interface ClassicAnswer {
  readonly additionalContext?: readonly string[];
}

/** What is registered by a hook can be given an answer for the case that it fails. */
export interface Registration<Event, Result> {
  catch(answer: Hook<Event, Result>): void;
}

interface Events {
  "session.start": [object, unknown];
  "session.append": [AppendedRow, unknown];
  "session.compact": [Compaction, Compacted];
  "tool.check": [object, { readonly decision: string }];
  "tool.run": [ToolCall, ToolAnswer];
  "prompt.context": [ContextBlocks, ContextBlocks];
  "prompt.attachment": [Attachment, AttachmentText];
  "skill.prompt": [{ readonly text: string }, { readonly text: string }];
  "command.run": [{ readonly command: string }, CommandOutput];
  "turn.complete": [CompletedTurn, unknown];
  "classic.PostToolBatch": [ClassicEvent, ClassicAnswer];
}

type EventOf<Name extends keyof Events> = Events[Name][0];
type ResultOf<Name extends keyof Events> = Events[Name][1];

/** Registers hooks. */
export interface On {
  <Name extends keyof Events>(
    name: Name,
    hook: Hook<EventOf<Name>, ResultOf<Name>>,
  ): Registration<EventOf<Name>, ResultOf<Name>>;
  <Name extends keyof Events>(
    name: Name,
    matcher: Readonly<Record<string, string | RegExp>>,
    hook: Hook<EventOf<Name>, ResultOf<Name>>,
  ): Registration<EventOf<Name>, ResultOf<Name>>;
}
