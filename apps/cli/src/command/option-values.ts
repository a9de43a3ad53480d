import { InvalidArgumentError } from "commander";

/** A whole number, as an option takes it. Which are in range is for the operation to say. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (/^-?\d+$/u.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("Give a whole number.");
}

/** An option that may be given several times. */
export function repeated(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}
