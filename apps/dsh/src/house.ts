import type { Context } from "@deepseek-ai/cordis";
import { UsageMeter } from "./budget/usage.ts";
import type { DshSettings } from "./settings.ts";

/** What the two rows of one host know of each other. */
export interface House {
  /** The settings of the row `notesoup`, as long as it is loaded. */
  notes: DshSettings | undefined;
  /** The settings of the row `notesoup-engine`, as long as it is the host's compaction. */
  engine: DshSettings | undefined;
  readonly meter: UsageMeter;
}

const houses = new WeakMap<object, House>();

/** The house of a host, whichever row asks first. */
export function houseOf(ctx: Context): House {
  const { root } = ctx;
  const known = houses.get(root);
  if (known !== undefined) return known;
  const house: House = {
    notes: undefined,
    engine: undefined,
    meter: new UsageMeter(root, () =>
      house.engine === undefined ? "host" : (house.notes ?? house.engine).reserveTokens,
    ),
  };
  houses.set(root, house);
  return house;
}
