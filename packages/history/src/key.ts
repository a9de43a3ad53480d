import { randomBytes } from "node:crypto";

/** Of this process alone, so that nobody can make ids that have one key. */
const SEED = randomBytes(8);
const FIRST = SEED.readUInt32LE(0);
const SECOND = SEED.readUInt32LE(4);
const HIGH_BITS = 2 ** 21 - 1;
const HIGH = 2 ** 32;

/**
 * A number of 53 bits that stands for an id of any length: sessions have so many of them that their
 * texts would fill the memory. That two ids of one session have one key is less likely than that the
 * memory fails.
 */
export function keyOf(id: string): number {
  let one = FIRST ^ id.length;
  let two = SECOND;
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x9e_37_79_b1);
    one ^= one >>> 15;
    two = Math.imul(two ^ unit, 0x5f_35_64_95);
    two ^= two >>> 13;
  }
  one = Math.imul(one ^ (two >>> 16), 0x85_eb_ca_6b);
  two = Math.imul(two ^ (one >>> 13), 0xc2_b2_ae_35);
  return (((two ^ (two >>> 16)) & HIGH_BITS) >>> 0) * HIGH + ((one ^ (one >>> 15)) >>> 0);
}
