import { describe, expect, it } from "vitest";
import { defaultHistoryRoots } from "../src/default-roots.ts";

const home = "/home/me";

describe("the harnesses' own folders", () => {
  it("lie in the home folder", () => {
    expect(defaultHistoryRoots({ home, env: {} })).toEqual({
      pi: ["/home/me/.pi/agent/sessions"],
      claude: ["/home/me/.claude/projects"],
      dsh: ["/home/me/.dsh/sessions"],
    });
  });

  it("lie where the environment says, as the harnesses themselves look there", () => {
    const env = { PI_CODING_AGENT_DIR: "/p", CLAUDE_CONFIG_DIR: "/c", DSH_HOME: "/d" };
    expect(defaultHistoryRoots({ home, env })).toEqual({
      pi: ["/p/sessions"],
      claude: ["/c/projects"],
      dsh: ["/d/sessions"],
    });
    expect(defaultHistoryRoots({ home, env: { ...env, PI_CODING_AGENT_SESSION_DIR: "/s" } }).pi).toEqual(["/s"]);
  });

  it("are not moved by a variable that is empty", () => {
    expect(defaultHistoryRoots({ home, env: { CLAUDE_CONFIG_DIR: "" } }).claude).toEqual(["/home/me/.claude/projects"]);
  });
});
