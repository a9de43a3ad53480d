import type { Mapping } from "./mapping.ts";
import { scanPlainMapping } from "./plain-mapping.ts";
import { readYamlMapping } from "./yaml-mapping.ts";

/**
 * Reads a block as a YAML mapping. Plain `key: value` lines are read by a scan of our own; what is
 * not plain is left to the YAML library.
 *
 * @returns `undefined` where the block is not a mapping
 */
export function readMapping(block: string): Mapping | undefined {
  return scanPlainMapping(block) ?? readYamlMapping(block);
}
