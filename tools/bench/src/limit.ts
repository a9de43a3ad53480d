/** A figure that has a bound of its own and no rival. */
export interface Limit {
  readonly name: string;
  readonly unit: "ms" | "MB" | "times";
  readonly atMost: number;
  readonly measure: () => Promise<number> | number;
}

/** A figure and its bound. */
export interface Measured extends Pick<Limit, "name" | "unit" | "atMost"> {
  readonly value: number;
}

/** Takes the figure. */
export async function measure({ name, unit, atMost, measure: take }: Limit): Promise<Measured> {
  return { name, unit, atMost, value: await take() };
}
