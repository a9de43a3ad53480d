import { expect, it } from "vitest";
import { Places } from "../src/places.ts";

it("places are all that were added, in order, however many", () => {
  for (const count of [0, 1, 15, 16, 17, 1000]) {
    const added = Array.from({ length: count }, (_value, index) => 0xffff_ffff - index);
    const places = new Places();
    for (const place of added) places.add(place);
    expect(places.count).toBe(count);
    expect([...places.all()]).toEqual(added);
  }
});
