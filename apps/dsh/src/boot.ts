import type { Agent } from "@deepseek-ai/dsh-agent";
import { notebookLoader, renderBoot, takeBootSnapshot } from "@notesoup/boot";
import { openLiveSession, type SessionWindow } from "@notesoup/history";
import { NoteError } from "@notesoup/notes";
import { cwdOf, identityOf } from "./identity.ts";
import { liveSessionOf } from "./live-session.ts";
import type { DshSettings } from "./settings.ts";
import { BOOT_TOOLS } from "./tool-names.ts";

/** The window that a boot begins. */
export interface BootWindow {
  readonly id: string;
  /** Whether everything until now is of the windows before it. */
  readonly begins: "here" | "before";
}

/** Stands above a boot where nobody offers the tools of which it speaks. */
const NO_TOOLS =
  "The tools that are named below are not offered in this session: notes and history are there, and somebody else has to open them.";

/**
 * The text with which a window begins. What is read of the session is read before anything is
 * awaited.
 *
 * @param hasTools whether the tools are offered of which a boot speaks
 */
export async function bootText(
  agent: Agent,
  settings: DshSettings,
  { id: windowId, begins }: BootWindow,
  hasTools: boolean,
): Promise<string> {
  const cwd = cwdOf(agent);
  const identity = identityOf(agent, settings, cwd);
  const { windows } = openLiveSession(liveSessionOf(agent));
  const load = notebookLoader(identity);
  const snapshot = await takeBootSnapshot({
    identity,
    capturedAt: Date.now(),
    session: { windowId, windows: earlier(windows, begins) },
    loadNotebook: (notebook) => {
      if (notebook === "project" && cwd === undefined)
        throw new NoteError("invalid_identity", "the session has no working directory");
      return load(notebook);
    },
  });
  const text = renderBoot(snapshot, { tools: BOOT_TOOLS });
  return hasTools ? text : `${NO_TOOLS}\n\n${text}`;
}

function earlier(windows: readonly SessionWindow[], begins: BootWindow["begins"]): readonly SessionWindow[] {
  return begins === "here" ? windows : windows.slice(0, -1);
}
