import type { NotesIdentity } from "../src/index.ts";

/** An identity as a host would give it. */
export function identityIn(home: string, changes: Partial<NotesIdentity> = {}): NotesIdentity {
  return { home, sessionId: "session-1", projectKey: "app-0a1b2c3d", agent: "pi", model: "some-model", ...changes };
}
