import { join } from "node:path";
import type { HistoryRoots } from "./discovery.ts";

/** What says where the harnesses keep their sessions. */
export interface HistoryPlace {
  /** The person's home folder. */
  readonly home: string;
  /** The environment, in which the harnesses look for another folder than their own. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where the harnesses keep their sessions where nobody says otherwise: a host or a script may, by its own roots. */
export function defaultHistoryRoots({ home, env }: HistoryPlace): HistoryRoots {
  const folder = (variable: string, otherwise: string): string => {
    const set = env[variable];
    return set === undefined || set === "" ? otherwise : set;
  };
  const pi = join(folder("PI_CODING_AGENT_DIR", join(home, ".pi", "agent")), "sessions");
  return {
    pi: [folder("PI_CODING_AGENT_SESSION_DIR", pi)],
    claude: [join(folder("CLAUDE_CONFIG_DIR", join(home, ".claude")), "projects")],
    dsh: [join(folder("DSH_HOME", join(home, ".dsh")), "sessions")],
  };
}
