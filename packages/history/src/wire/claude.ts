import { itemsOf } from "./claude/items.ts";
import { ClaudeReading } from "./claude/reading.ts";
import type { Wire } from "./wire.ts";

/**
 * Sessions of Claude Code, the main file of each: what a subagent does lies in files of its own, and
 * rows of one say nothing here. It never throws: rows that are not known are skipped.
 */
export const claudeWire: Wire = { harness: "claude", begin: () => new ClaudeReading(), items: itemsOf };
