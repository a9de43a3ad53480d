import { Refused } from "../refused.ts";

/**
 * The refusal of a page of which not even the first row can be delivered.
 *
 * @param bypass the bound that leaves that row out; none where no bounds are taken, or nothing was found
 */
export function pageTooLarge(bypass?: string): Refused {
  const past = bypass === undefined ? "" : `, go past this row with ${bypass}`;
  return new Refused(
    "page_too_large",
    `not even one row fits the output budget beside what the host adds to it; lower max_chars_per_item, narrow with roles, since or until${past}, or make the host add less`,
  );
}
