import type { Namespace } from "./address.ts";

/**
 * The directory of a namespace inside the notes home. `pi/session` is a historical name: every
 * host keeps its session notebooks there.
 */
export function namespaceDirectory({ scope, member }: Namespace): readonly string[] {
  const name = member ?? "";
  switch (scope) {
    case "session":
      return ["pi", "session", name];
    case "project":
      return ["project", name];
    case "human":
      return ["human"];
    case "agent":
      return ["agents", name];
    case "model":
      return ["models", name];
  }
}
