import type { Context } from "@deepseek-ai/cordis";
import { NotesoupEngine } from "./engine-service.ts";
import { houseOf } from "./house.ts";
import { say } from "./say.ts";
import { withServices } from "./services.ts";
import { settingsOf } from "./settings.ts";

const ROW = "notesoup-engine";

/** Starts the row `notesoup-engine`: see `engine.ts`. */
export function startEngine(host: Context, config: unknown): void {
  const { settings, warnings } = settingsOf(config);
  for (const warning of warnings) say(ROW, warning);
  const other = otherProvider(host);
  if (other !== undefined) {
    say(
      ROW,
      `not loaded: ${other} is the host's compaction already, and there can be one alone; disable that row or this one`,
    );
    return;
  }
  void withServices(ROW, host, ["sessions", "agents"], (ctx) => {
    const house = houseOf(ctx);
    ctx.effect(() => {
      house.engine = settings;
      return () => void (house.engine = undefined);
    }, ROW);
    ctx.plugin(NotesoupEngine, house);
  });
}

interface LoaderEntry {
  readonly disabled: boolean;
  readonly options: { readonly id?: string; readonly name?: string };
}

/** Who provides, or is going to provide, compaction: rows are loaded side by side, and the later one would fail. */
function otherProvider(host: Context): string | undefined {
  const loader = host.get("loader" as never) as { entries(): Iterable<LoaderEntry> } | undefined;
  for (const { disabled, options } of loader?.entries() ?? []) {
    if (!disabled && options.name === "@deepseek-ai/dsh-compaction-basic") return `row ${options.id ?? options.name}`;
  }
  return host.get("compaction" as never) === undefined ? undefined : "another row";
}
