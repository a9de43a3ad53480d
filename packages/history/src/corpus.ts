import { findSessions, type FoundSession, type HistoryRoots } from "./discovery.ts";
import { HistoryError } from "./error.ts";
import type { RawPattern } from "./raw-pattern.ts";
import { placesOf } from "./raw-search.ts";
import { parseSelector, type Selected, selectSession, type Wildcard } from "./selector.ts";
import { filedSession, type LiveRecords, liveSession, type Session } from "./session.ts";
import { PlainBytes, ZstdBytes } from "./session-bytes.ts";
import { SessionCache } from "./session-cache.ts";
import { sessionHead } from "./session-head.ts";
import type { SessionRef } from "./session-ref.ts";
import { claudeWire } from "./wire/claude.ts";
import { dshWire } from "./wire/dsh.ts";
import { piWire } from "./wire/pi.ts";
import type { Harness, Wire } from "./wire/wire.ts";

const WIRES: Readonly<Record<Harness, Wire>> = { pi: piWire, claude: claudeWire, dsh: dshWire };

/** The session in which somebody works, as its host has it. */
export interface LiveSession extends LiveRecords {
  readonly harness: Harness;
  readonly id: string;
}

/** The sessions of every harness. Nothing is kept of them but where their records stand. */
export interface HistoryCorpus {
  /** All sessions, or those of one harness, the last active first. */
  sessions(harness?: Harness): Promise<readonly SessionRef[]>;
  /**
   * Finds what a selector means: a canonical name, an id, or at least 6 characters with which one of
   * them begins; `*` or `<harness>:*` for several.
   *
   * @throws HistoryError `session_not_found`, `ambiguous_session` (the message lists the candidates)
   */
  select(selector: string): Promise<SessionRef | Wildcard>;
  /**
   * Opens a session.
   *
   * @throws HistoryError `session_unreadable`
   */
  open(ref: SessionRef): Promise<Session>;
  /**
   * Whether a session's records may hold what a pattern stands for: found out in its bytes, without
   * reading its records.
   *
   * @throws HistoryError `session_unreadable`
   */
  mayHold(ref: SessionRef, pattern: RawPattern | undefined): Promise<boolean>;
}

/** What a corpus is made of. */
export interface CorpusOptions {
  readonly roots: HistoryRoots;
  /** The session in which somebody works; it is read from here, and not from its file. */
  readonly live?: LiveSession | undefined;
  /** Remembers what was read: one for several corpora, where a host makes one at each call. */
  readonly cache?: SessionCache | undefined;
}

/** Opens the corpus of some folders. Nothing is read before it is asked for. */
export function createHistoryCorpus({ roots, live, cache = new SessionCache() }: CorpusOptions): HistoryCorpus {
  return new FolderCorpus(roots, live, cache);
}

/** Opens the session in which somebody works. Seqs are those of its file. */
export function openLiveSession(live: LiveSession): Session {
  return liveSession(WIRES[live.harness], live);
}

class FolderCorpus implements HistoryCorpus {
  readonly #roots: HistoryRoots;
  readonly #live: LiveSession | undefined;
  readonly #cache: SessionCache;

  constructor(roots: HistoryRoots, live: LiveSession | undefined, cache: SessionCache) {
    this.#roots = roots;
    this.#live = live;
    this.#cache = cache;
  }

  async sessions(harness?: Harness): Promise<readonly SessionRef[]> {
    const found = (await findSessions(this.#roots)).map(refOf);
    const live = this.#live;
    // Somebody works in it right now.
    const all =
      live === undefined
        ? found
        : [liveRef(live, found), ...found.filter((ref) => ref.name !== nameOf(live.harness, live.id))];
    return harness === undefined ? all : all.filter((ref) => ref.harness === harness);
  }

  async select(selector: string): Promise<SessionRef | Wildcard> {
    const parsed: Selected = parseSelector(selector);
    if (parsed.kind === "wildcard") return parsed;
    return selectSession(parsed, await this.sessions(), (ref) => this.#cwdOf(ref));
  }

  async open(ref: SessionRef): Promise<Session> {
    if (this.#isLive(ref) && this.#live !== undefined) return openLiveSession(this.#live);
    const wire = WIRES[ref.harness];
    const path = pathOf(ref);
    const { file, bytes, state } = await this.#cache.read(path, wire);
    return filedSession(wire, file, bytes, {
      requireSame: () => state.require(),
      isWrong: () => this.#cache.forget(path, file),
    });
  }

  async mayHold(ref: SessionRef, pattern: RawPattern | undefined): Promise<boolean> {
    if (pattern === undefined || this.#isLive(ref)) return true;
    const path = pathOf(ref);
    const bytes = path.endsWith(".zstd") ? new ZstdBytes(path) : new PlainBytes(path);
    const places = placesOf(bytes.chunks(0), pattern);
    const { done } = await places.next();
    await places.return(undefined);
    return done !== true;
  }

  #isLive({ name }: SessionRef): boolean {
    return this.#live !== undefined && name === nameOf(this.#live.harness, this.#live.id);
  }

  async #cwdOf(ref: SessionRef): Promise<string | undefined> {
    if (ref.path === undefined) return undefined;
    return (await sessionHead(ref.path, WIRES[ref.harness])).cwd;
  }
}

function refOf({ harness, id, path, lastActivity }: FoundSession): SessionRef {
  return { harness, id, path, lastActivity, name: nameOf(harness, id) };
}

function liveRef({ harness, id }: LiveSession, found: readonly SessionRef[]): SessionRef {
  const name = nameOf(harness, id);
  return found.find((ref) => ref.name === name) ?? { harness, id, name, lastActivity: Date.now() };
}

function nameOf(harness: Harness, id: string): string {
  return `${harness}:${id}`;
}

function pathOf({ path, name }: SessionRef): string {
  if (path !== undefined) return path;
  throw new HistoryError("session_unreadable", `${name} has no file`);
}
