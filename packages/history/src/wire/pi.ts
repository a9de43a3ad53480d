import { itemsOf } from "./pi/items.ts";
import { PiReading } from "./pi/reading.ts";
import type { Wire } from "./wire.ts";

/**
 * Sessions of Pi, as of its session format 3; files of 1 and 2 are read as they are. It takes every
 * version, and never throws: what a newer Pi adds is skipped, and the rest is still read.
 */
export const piWire: Wire = { harness: "pi", begin: () => new PiReading(), items: itemsOf };
