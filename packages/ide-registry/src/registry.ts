import type { Disk } from "./disk.ts";
import { ResultRegistry } from "./results.ts";
import { SourceStore } from "./store.ts";

/** How much a registry takes on. */
export interface Limits {
  /** The most results that can be resolved; the oldest leave first. */
  readonly references: number;
  /** The most bytes of a file that can be edited. */
  readonly fileBytes: number;
}

const DEFAULTS: Limits = { references: 20_000, fileBytes: 64 * 1024 * 1024 };

/** A registry of results, and the store of what they stand for. */
export interface Registry {
  readonly store: SourceStore;
  readonly results: ResultRegistry;
}

/** Opens an empty registry. One serves one process of a host; whose a reference is, it checks itself. */
export function openRegistry(disk: Disk, limits: Partial<Limits> = {}): Registry {
  const { references, fileBytes } = { ...DEFAULTS, ...limits };
  return { store: new SourceStore(disk, { fileBytes }), results: new ResultRegistry(disk, references) };
}
