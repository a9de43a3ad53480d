import { randomBytes } from "node:crypto";
import { Refused } from "@notesoup/tools";
import { Audit } from "./audit/audit.ts";
import { homeFiles } from "./audit/home-files.ts";
import { blobName } from "./audit/tree.ts";
import { dreamHome } from "./home.ts";
import { acquireLock, releaseLock, thisHolder } from "./lock.ts";
import type { DreamOptions } from "./options.ts";
import { readRecord, writeRecord } from "./record.ts";
import { recoverRun } from "./recover.ts";
import { RunFiles } from "./run-files.ts";
import { expected } from "./system-error.ts";
import { takeBack } from "./take-back.ts";

/** What became of the last dream. */
export interface UndoneDream {
  /** The run that was taken back. */
  readonly run: string;
  /** Paths in the home of files that have their bytes, mode and time from before it again. */
  readonly restored: readonly string[];
  /** Paths of files that somebody has changed since; they stay as they are. */
  readonly kept: readonly string[];
}

/**
 * Takes the last dream back: every file that is still as the dream left it gets what it had before.
 * What somebody has changed since is kept and named. One that died before its end is taken back in its
 * place.
 *
 * @throws Refused `dream_locked`, `audit_unavailable`, `not_found` where no dream is left to take back;
 * NoteError `io`
 */
export async function undoDream(options: Pick<DreamOptions, "identity" | "env" | "now">): Promise<UndoneDream> {
  try {
    return await undo(options);
  } catch (error) {
    throw expected(error);
  }
}

async function undo({
  identity,
  env,
  now = Date.now,
}: Pick<DreamOptions, "identity" | "env" | "now">): Promise<UndoneDream> {
  const home = dreamHome(identity);
  const audit = new Audit(home, env);
  const files = new RunFiles(home);
  if (!audit.exists) throw nothing();
  const name = `undo-${randomBytes(6).toString("hex")}`;
  acquireLock(home.lock, thisHolder(name, now()), now());
  try {
    await audit.check();
    const recovered = await recoverRun({ home, files, identity, now }, audit);
    // The dream that died was the last one: the one before it stays.
    if (recovered?.end === "taken back") return { run: recovered.run, ...recovered.back };
    const last = files.last();
    if (last === undefined || last.isUndone) throw nothing();
    const base = await audit.tree(last.base);
    const names = last.files.flatMap(({ path, before }) => (before === null ? [] : (base.get(path)?.blob ?? [])));
    const blobs = await audit.blobs([...new Set(names)]);
    const { restored, kept } = await takeBack(home.root, last.files.toReversed(), ({ path }) => {
      const bytes = blobs.get(base.get(path)?.blob ?? "");
      // A wrong byte is worse than none: what the audit has must be what its name says.
      if (bytes === undefined || blobName(bytes) !== base.get(path)?.blob)
        throw new Refused("audit_unavailable", "the audit no longer has what was there before the dream");
      return bytes;
    });
    const tree = await audit.tree(await audit.head());
    const known = new Set([...tree.values()].map(({ blob }) => blob));
    const subject = `Dream taken back: ${restored.length} restored, ${kept.length} kept`;
    await audit.commit(await homeFiles(home.root, known), last.run, "undone", subject, now());
    await files.setLast({ ...last, isUndone: true });
    // What the dream saw counts as changed again, where it is not what is there now.
    const record = readRecord(home);
    await writeRecord(home, {
      ...record,
      lastStopped: { run: last.run, time: now(), why: "it was taken back", mayRetry: false },
    });
    return { run: last.run, restored, kept };
  } finally {
    releaseLock(home.lock, name, now());
  }
}

function nothing(): Refused {
  return new Refused(
    "not_found",
    "there is no dream to take back: none has ended, or the last one was taken back already",
  );
}
