import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@notesoup/testing";
import {
  type Disk,
  type Handle,
  labelLine,
  openRegistry,
  type Owner,
  type Registry,
  type ResultId,
  Refusal,
  span,
} from "../src/index.ts";
import { nodeDisk } from "../src/node.ts";

/** A worktree of a test's own with a registry on it. */
export interface Worktree extends Registry {
  readonly root: string;
  readonly owner: Owner;
  readonly disk: Disk;
  /** How often each file was written through the registry. */
  readonly puts: Map<string, number>;
  path: (name: string) => string;
  write: (name: string, content: string | Uint8Array) => void;
  text: (name: string) => string;
  /** A handle of the first place at which `part` stands in a file; of the whole file without it. */
  hold: (name: string, part?: string) => Promise<Handle>;
  issue: (body: string, handle?: Handle) => { readonly id: ResultId; readonly text: string };
}

/** Opens a registry on files in a folder of the running test's own; `faults` replace functions of the disk. */
export async function worktree(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: { readonly references?: number; readonly fileBytes?: number; readonly faults?: Partial<Disk> } = {},
): Promise<Worktree> {
  return openWorktree(await temporaryFolder(), files, options);
}

/** As {@link worktree}, in a folder that is there. */
export function openWorktree(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  {
    faults = {},
    ...limits
  }: { readonly references?: number; readonly fileBytes?: number; readonly faults?: Partial<Disk> } = {},
): Worktree {
  const puts = new Map<string, number>();
  const real = { ...nodeDisk(), ...faults };
  const disk: Disk = {
    ...real,
    put: (key, ...rest) => {
      puts.set(key, (puts.get(key) ?? 0) + 1);
      return real.put(key, ...rest);
    },
  };
  const owner: Owner = { session: "s1", root };
  const { store, results } = openRegistry(disk, limits);
  const path = (name: string): string => join(root, name);
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
  return {
    root,
    owner,
    disk,
    store,
    results,
    puts,
    path,
    write: (name, content) => writeFileSync(path(name), content),
    text: (name) => readFileSync(path(name), "utf8"),
    hold: async (name, part) => {
      const { snapshot, text } = await store.capture(name, root, owner);
      const start = part === undefined ? 0 : text.indexOf(part);
      if (start < 0) throw new Error(`${name} holds no ${part}`);
      return store.hold(owner, [{ snapshot, text, spans: [span(start, start + (part ?? text).length)] }], {
        complete: true,
      });
    },
    issue: (body, handle) =>
      results.issue({ owner, kind: "read", body, ok: true, handle, label: (id) => labelLine(id, { tool: "read" }) }),
  };
}

/** Changes a file until its times tell so: a file system may count in steps longer than a write takes. */
export function moveTimes(path: string, change: () => void): void {
  const before = statSync(path, { bigint: true }).ctimeNs;
  do change();
  while (statSync(path, { bigint: true }).ctimeNs === before);
}

/** The code with which a call refuses. */
export async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "no refusal";
}
