/** What the driver can be asked for. Each has an id, with which it is answered. */
export type DriverCommand =
  /** Begins a session. Without `cwd` it has none. */
  | { readonly do: "create"; readonly session: string; readonly cwd?: string; readonly preset?: string }
  /** Takes a session up again from its log. */
  | { readonly do: "resume"; readonly session: string }
  /** Begins a session with a copy of the current one up to the end of a turn, counted from 1. */
  | { readonly do: "fork"; readonly session: string; readonly turns: number }
  /** Says something and waits until nobody works. */
  | { readonly do: "prompt"; readonly text: string }
  /** Says something and waits for nothing. */
  | { readonly do: "begin"; readonly text: string }
  /** Calls a tool for no session. */
  | { readonly do: "call"; readonly tool: string; readonly args: object }
  /** Waits until nobody works. */
  | { readonly do: "idle" }
  /** A person's slash command. */
  | { readonly do: "command"; readonly line: string }
  /** A person stops what is going on. */
  | { readonly do: "cancel" }
  /** Names of the services of which there is one. */
  | { readonly do: "services"; readonly names: readonly string[] }
  /** Ends the session's agent; the log stays. */
  | { readonly do: "dispose" };

/** What the driver answers, one a line. */
export interface DriverAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** How the last turn went. */
export interface TurnOutcome {
  /** The text of the last answer. */
  readonly text: string;
  /** Why the turn ended, as dsh says it; `none` where it wrote no end. */
  readonly reason: string;
}
