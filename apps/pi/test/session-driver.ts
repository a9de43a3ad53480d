import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** The variable with which a session is broken from its start on. */
export const BROKEN = "DRIVER_BROKEN";

/**
 * An extension that does what tests of boots cannot do from outside: it loads all extensions anew,
 * and it breaks the session in a way of its own, for there is none that could be provoked. To be
 * loaded first.
 */
export default function sessionDriver(pi: ExtensionAPI): void {
  pi.registerCommand("again", { description: "Loads all extensions anew.", handler: (_args, ctx) => ctx.reload() });

  pi.registerCommand("mend", {
    description: "Mends what is broken.",
    handler: async (_args, { sessionManager }) => {
      Reflect.deleteProperty(sessionManager, "getHeader");
    },
  });

  pi.on("session_start", (_event, { sessionManager }) => {
    if (process.env[BROKEN] === undefined) return;
    Object.assign(sessionManager, {
      getHeader: () => {
        throw new Error("the header is gone");
      },
    });
  });
}
