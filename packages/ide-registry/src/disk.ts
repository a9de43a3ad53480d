/** One physical file: its real path, or for a file that does not exist that of its folder with its name. */
export type SourceKey = string & { readonly kind: "source" };

/** SHA-256 of bytes, and how many they are. Decoded text would not do: two different invalid bytes decode alike. */
export type Digest = string & { readonly kind: "digest" };

/** What the file system tells of a file without opening it. */
export interface Mark {
  readonly kind: "file" | "directory" | "other";
  /** Size, times of change in nanoseconds, inode and device in one: it moves with every change, and with a touch. */
  readonly stamp: string;
  /** Inode and device: two names of one file have it in common. */
  readonly inode: string;
  /** How many names the file has. */
  readonly links: number;
  /** Bytes. */
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
  /** Whether the file changed so short a time ago that another change may have left the same stamp. */
  readonly recent: boolean;
}

/** What a name leads to. */
export interface Located {
  /** The absolute name itself, with its links in place. */
  readonly name: string;
  /** Where the name leads. */
  readonly key: SourceKey;
  readonly exists: boolean;
}

/**
 * The file system, as far as the registry needs it. `nodeDisk()` of `@notesoup/ide-registry/node` is the real
 * one; a host wraps `exclusive` to take part in a lock of its own.
 */
export interface Disk {
  /** Finds what a path leads to: relative to `cwd`, absolute, or a `file:` URL. */
  locate(path: string, cwd: string): Promise<Located>;
  /** Looks at a file, through links, without opening it. */
  mark(name: string): Promise<Mark | "missing">;
  /** Reads a whole file. */
  read(key: SourceKey, signal?: AbortSignal): Promise<Uint8Array>;
  /**
   * Replaces a file's bytes, all or none of them where that can be had, with its mode kept. Makes a
   * missing file and its folders, with `mode` where one is given.
   *
   * @throws where the file is not what was expected, or cannot be written
   */
  put(key: SourceKey, bytes: Uint8Array, expect: Digest | "missing", mode?: number): Promise<void>;
  /** Removes a file. @throws where it is not what was expected */
  drop(key: SourceKey, expect: Digest): Promise<void>;
  /** Runs `run` while nobody else of this process changes one of these files. */
  exclusive<Result>(keys: readonly SourceKey[], run: () => Promise<Result>): Promise<Result>;
  /** Digests bytes, or a text's bytes as UTF-8. */
  digest(data: Uint8Array | string): Digest;
}
