import type { Digest, SourceKey } from "./disk.ts";
import { Refusal } from "./refusal.ts";
import { type Seen, type Sources, systemCode } from "./sources.ts";

/**
 * What became of a file: `applied`, it holds what was planned; `not-applied`, it holds what it held
 * before; `unknown`, neither can be said.
 */
export type Effect = "applied" | "not-applied" | "unknown";

/** What is to become of a file. */
export interface FilePlan {
  readonly key: SourceKey;
  /** As messages show it. */
  readonly shown: string;
  readonly before: Seen | "missing";
  readonly after: Uint8Array | "missing";
  /** The permission bits of a file that does not exist yet. */
  readonly mode?: number | undefined;
}

/** What became of it. */
export interface FileEffect {
  readonly key: SourceKey;
  readonly shown: string;
  readonly effect: Effect;
  /** Why it was not applied; absent where there was nothing to change. */
  readonly reason?: Refusal;
  readonly before: Digest | "missing";
  /** What the file was left with. */
  readonly after: Digest | "missing" | "unknown";
}

/**
 * Writes each of these files once, by someone who has the turn of them all, and looks at what came
 * of it. If one cannot be written, those that were already are given their old bytes back. A file
 * that would not change is left alone.
 */
export async function saveFiles(sources: Sources, plans: readonly FilePlan[]): Promise<readonly FileEffect[]> {
  const written: FilePlan[] = [];
  for (const plan of plans) {
    if (isUnchanged(sources, plan)) continue;
    try {
      await write(sources, plan);
    } catch (error) {
      return await restored(sources, plans, { written, failed: plan, error });
    }
    written.push(plan);
  }
  return await Promise.all(
    plans.map(async (plan): Promise<FileEffect> => {
      if (!written.includes(plan)) return effectOf(plan, "not-applied", digestOf(plan.before));
      const now = await lookAt(sources, plan.key);
      return now === plannedDigest(sources, plan)
        ? effectOf(plan, "applied", now)
        : effectOf(plan, "unknown", now, overwritten(plan));
    }),
  );
}

async function restored(
  sources: Sources,
  plans: readonly FilePlan[],
  {
    written,
    failed,
    error,
  }: { readonly written: readonly FilePlan[]; readonly failed: FilePlan; readonly error: unknown },
): Promise<readonly FileEffect[]> {
  const reason = new Refusal(
    "write_failed",
    `${failed.shown} cannot be written (${systemCode(error)})`,
    "look at the file and its folder, then edit again",
    { cause: error },
  );
  const suspects = (await holdsPlan(sources, failed)) ? [...written, failed] : written;
  for (const plan of suspects.toReversed()) {
    try {
      await unwrite(sources, plan);
    } catch {
      // What it holds then is looked at below.
    }
  }
  return await Promise.all(
    plans.map(async (plan) => {
      const now = await lookAt(sources, plan.key);
      const isAsBefore = now === digestOf(plan.before);
      return effectOf(plan, isAsBefore ? "not-applied" : "unknown", now, reason);
    }),
  );
}

function isUnchanged(sources: Sources, plan: FilePlan): boolean {
  return digestOf(plan.before) === plannedDigest(sources, plan);
}

async function holdsPlan(sources: Sources, plan: FilePlan): Promise<boolean> {
  return (await lookAt(sources, plan.key)) === plannedDigest(sources, plan);
}

async function write({ disk }: Sources, { key, before, after, mode }: FilePlan): Promise<void> {
  if (after !== "missing") await disk.put(key, after, digestOf(before), mode);
  else if (before !== "missing") await disk.drop(key, before.digest);
}

async function unwrite({ disk }: Sources, { key, before, after }: FilePlan): Promise<void> {
  if (before !== "missing")
    await disk.put(key, before.bytes, after === "missing" ? after : disk.digest(after), before.mode);
  else if (after !== "missing") await disk.drop(key, disk.digest(after));
}

function digestOf(seen: Seen | "missing"): Digest | "missing" {
  return seen === "missing" ? seen : seen.digest;
}

function plannedDigest({ disk }: Sources, { after }: FilePlan): Digest | "missing" {
  return after === "missing" ? after : disk.digest(after);
}

async function lookAt(sources: Sources, key: SourceKey): Promise<Digest | "missing" | "unknown"> {
  try {
    const seen = await sources.look(key);
    return seen === "missing" ? seen : seen.digest;
  } catch (error) {
    if (error instanceof Refusal) return "unknown";
    throw error;
  }
}

function effectOf(plan: FilePlan, effect: Effect, after: FileEffect["after"], reason?: Refusal): FileEffect {
  const { key, shown, before } = plan;
  return { key, shown, effect, before: digestOf(before), after, ...(reason === undefined ? {} : { reason }) };
}

function overwritten({ shown }: FilePlan): Refusal {
  return new Refusal(
    "conflict_on_disk",
    `${shown} was written by somebody else at the same time`,
    "read the file again",
  );
}

/** What became of all files together. */
export function effectOfAll(files: readonly FileEffect[]): Effect {
  if (files.some(({ effect }) => effect === "unknown")) return "unknown";
  return files.some(({ effect }) => effect === "applied") ? "applied" : "not-applied";
}
