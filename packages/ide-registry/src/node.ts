import { createHash, randomUUID } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { chmod, mkdir, open, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Digest, Disk, Located, Mark, SourceKey } from "./disk.ts";
import { Refusal } from "./refusal.ts";
import { Turns } from "./turns.ts";

/**
 * How long after a change another one may leave the same times, in milliseconds: file systems count
 * in steps of up to two seconds.
 */
const UNSETTLED_MS = 2_000;

const turns = new Turns();

/**
 * The file system of Node. A file is written through a temporary one beside it, with mode and, as
 * far as this user may, owner kept; one that has several names is written in place, so that they
 * stay names of one file. Nothing is flushed to the device: a power cut can lose the last writes.
 */
export function nodeDisk(): Disk {
  return {
    locate: (path, cwd) => Promise.resolve(locate(path, cwd)),
    mark: (name) => Promise.resolve(markOf(name)),
    read: (key, signal) => readFile(key, signal === undefined ? {} : { signal }),
    put,
    drop,
    exclusive: (keys, run) => turns.run(keys, run),
    digest,
  };
}

function digest(data: Uint8Array | string): Digest {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
  return `${createHash("sha256").update(bytes).digest("base64url")}:${bytes.length}` as Digest;
}

function locate(path: string, cwd: string): Located {
  const name = resolve(cwd, path.startsWith("file:") ? urlPath(path) : path);
  const key = physical(name);
  if (key !== undefined) return { name, key: key as SourceKey, exists: true };
  // Nothing is there, or a link that leads nowhere: what a write would make.
  const missing: string[] = [];
  for (let folder = name; ; folder = dirname(folder)) {
    const found = physical(folder);
    if (found !== undefined) return { name, key: join(found, ...missing) as SourceKey, exists: false };
    if (dirname(folder) === folder) return { name, key: name as SourceKey, exists: false };
    missing.unshift(basename(folder));
  }
}

function urlPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new Refusal("not_found", "the URL names no file of this machine", "give a path", { cause });
  }
}

/** The real path of what exists. */
function physical(name: string): string | undefined {
  try {
    return realpathSync.native(name);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL", "ERR_INVALID_ARG_VALUE");
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

// A look takes microseconds, and would wait behind reads and writes in the queue of asynchronous calls.
function markOf(name: string): Mark | "missing" {
  let found: BigIntStats | undefined;
  try {
    found = statSync(name, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error)) return "missing";
    throw error;
  }
  if (found === undefined) return "missing";
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  const changed = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return {
    kind: found.isFile() ? "file" : found.isDirectory() ? "directory" : "other",
    stamp: `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`,
    inode: `${dev}:${ino}`,
    links: Number(found.nlink),
    size: Number(size),
    mode: Number(found.mode) & 0o7777,
    recent: Date.now() - changed < UNSETTLED_MS,
  };
}

async function put(key: SourceKey, bytes: Uint8Array, expect: Digest | "missing", mode?: number): Promise<void> {
  if (expect === "missing") await create(key, bytes, mode);
  else await replace(key, bytes, expect);
}

async function create(key: SourceKey, bytes: Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(key), { recursive: true });
  const temporary = temporaryBeside(key);
  try {
    await writeFile(temporary, bytes, { flag: "wx" });
    if (mode !== undefined) await chmod(temporary, mode);
    try {
      // Unlike a rename it fails where somebody else was faster.
      linkSync(temporary, key);
    } catch (error) {
      if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
      // A file system without links.
      await writeFile(key, bytes, { flag: "wx" });
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

async function replace(key: SourceKey, bytes: Uint8Array, expect: Digest): Promise<void> {
  // Renaming needs no permission of the file itself; one that its owner has protected stays as it is.
  const file = await open(key, constants.O_RDWR);
  try {
    const old = await file.stat();
    if (old.nlink > 1) {
      requireExpected(await file.readFile(), expect);
      await file.write(bytes, 0, bytes.length, 0);
      await file.truncate(bytes.length);
      return;
    }
    const temporary = temporaryBeside(key);
    try {
      await writeLike(temporary, bytes, old);
      requireExpected(await file.readFile(), expect);
      await rename(temporary, key);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } finally {
    await file.close();
  }
}

async function drop(key: SourceKey, expect: Digest): Promise<void> {
  requireExpected(await readFile(key), expect);
  await unlink(key);
}

function requireExpected(bytes: Uint8Array, expect: Digest): void {
  if (digest(bytes) !== expect) throw new Error("the file is no longer the one that was seen");
}

function temporaryBeside(key: SourceKey): string {
  return join(dirname(key), `.notesoup-${randomUUID()}.tmp`);
}

async function writeLike(temporary: string, bytes: Uint8Array, old: Stats): Promise<void> {
  await writeFile(temporary, bytes, { flag: "wx", mode: old.mode & 0o7777 });
  const descriptor = openSync(temporary, "r");
  try {
    const now = fstatSync(descriptor);
    if (now.uid !== old.uid || now.gid !== old.gid) keepOwner(descriptor, old);
    // The mode passed the process's umask, and a change of owner takes some bits away.
    fchmodSync(descriptor, old.mode & 0o7777);
  } finally {
    closeSync(descriptor);
  }
}

/** Only root can give a file away: for anybody else it becomes theirs, as with any editor. */
function keepOwner(descriptor: number, old: Stats): void {
  try {
    fchownSync(descriptor, old.uid, old.gid);
  } catch (error) {
    if (!hasCode(error, "EPERM", "EINVAL", "ENOSYS", "ENOTSUP")) throw error;
  }
}
