import { bootWindows } from "./boot.ts";
import { startHelper } from "./helper-link.ts";
import type { On } from "./host.ts";
import { pluginSettings } from "./options.ts";
import { remind } from "./reminders.ts";
import { resetWindows } from "./reset.ts";
import { answerStatus, tellProblems } from "./status.ts";
import { answerTools, offerTools } from "./tools.ts";

/** The plugin as the host loads it: once a process, and again where it is reloaded. */
export function register(on: On, options: Readonly<Record<string, unknown>>): void {
  const settings = pluginSettings(options);
  on("session.start", async ($, event, next) => {
    startHelper($);
    await offerTools($);
    await tellProblems($, settings);
    return next(event);
  });
  answerTools(on, settings);
  bootWindows(on, settings);
  remind(on, settings);
  resetWindows(on, settings);
  answerStatus(on, settings);
}
