import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { NoteAddress } from "./address.ts";
import { applyEdits, type NoteEdit } from "./edit.ts";
import { NoteError } from "./error.ts";
import { fileKey } from "./file-lock.ts";
import { flushFolder, removeFolders } from "./folders.ts";
import { joinNote, type NoteText, splitNote } from "./frontmatter.ts";
import type { NotesIdentity } from "./identity.ts";
import type { LocatedNote } from "./locked-notes.ts";
import { metaOf, type NoteMeta, type NoteOrigin } from "./metadata.ts";
import type { Scope } from "./namespace.ts";
import { changeNoteText, type MetaChanges, metaOfFile, type NoteFile, readNoteFile, untold } from "./note-file.ts";
import { replaceFile } from "./replace-file.ts";
import { Slices } from "./slices.ts";
import { coded, shownAddress } from "./system-error.ts";

/** What an update changes beside the body. */
export interface UpdateOptions {
  readonly origin?: NoteOrigin | undefined;
  /** `true` crumples the note, `false` brings it back. */
  readonly crumpled?: boolean | undefined;
  /** Replaces every match of an edit, where otherwise there must be one only. */
  readonly replaceAll?: boolean | undefined;
  /** Moves the note to another address, where no live note may be. */
  readonly renameTo?: string | undefined;
}

/** What an update changed, for one who shows it. */
export interface NoteChange {
  readonly kind: "body" | "metadata" | "none";
  /** The body, or the whole file where more than the body and the time of update has changed. */
  readonly before: string;
  readonly after: string;
}

/** A note that was updated. */
export interface UpdatedNote {
  /** The canonical address, that of the destination where the note was moved. */
  readonly address: string;
  readonly meta: NoteMeta;
  /** Replacements that were made in the body. */
  readonly applied: number;
  readonly resolvedScope: Scope;
  readonly change: NoteChange;
  /** Whether the note was moved. A destination that is the same file is no move. */
  readonly moved: boolean;
  /** The canonical address that the note had, where it was moved. */
  readonly movedFrom: string | undefined;
  /** Whether a crumpled note was at the destination, and is gone. */
  readonly replacedCrumpledTarget: boolean;
}

/** What an update was asked to do, checked. */
export interface UpdateRequest {
  readonly edits: readonly NoteEdit[];
  readonly origin: NoteOrigin | undefined;
  readonly crumpled: boolean | undefined;
  readonly replaceAll: boolean;
}

/**
 * Updates a note, and moves it to `target` where that is another file. Everything is checked before
 * anything is saved. To be run under the files' locks.
 */
export async function updateNote(
  source: LocatedNote,
  target: LocatedNote | undefined,
  request: UpdateRequest,
  identity: NotesIdentity,
): Promise<UpdatedNote> {
  const { address } = source.note;
  const old = readNoteFile(source.path, address);
  if (old === undefined) {
    throw new NoteError(
      "not_found",
      `there is no note at ${shownAddress(address)}; check the address, or write the note first`,
      { address },
    );
  }
  const edited = await applyEdits(old.text.body, request.edits, request.replaceAll, address, new Slices());
  const destination = target === undefined || isSameFile(source, target) ? undefined : freePlace(target);
  const asked = changesAsked(
    old,
    request,
    edited.body,
    destination && { from: source.note, to: destination.note, identity },
  );
  const place = destination ?? source;
  const scope = place.note.namespace.scope;
  const result = { address: place.note.address, applied: edited.applied, resolvedScope: scope };
  if (asked === undefined) {
    const change: NoteChange = { kind: "none", before: old.text.body, after: old.text.body };
    return {
      ...result,
      meta: metaOfFile(old),
      change,
      moved: false,
      movedFrom: undefined,
      replacedCrumpledTarget: false,
    };
  }
  const text = changeNoteText(old.text, { ...untold(old), ...asked }, edited.body, place.note.address);
  const made = await replaceFile(place.path, text, { old: old.stats, flush: true }).catch((error: unknown) => {
    throw coded("write", place.note.address, error);
  });
  if (destination !== undefined) await removeSource(source, destination, made);
  return {
    ...result,
    meta: metaOf(splitNote(text).frontmatter?.mapping, old.stats),
    change: changeOf(
      old.text,
      text,
      edited.body,
      Object.keys(asked).every((key) => key === "updatedAt") && destination === undefined,
    ),
    moved: destination !== undefined,
    movedFrom: destination && address,
    replacedCrumpledTarget: destination?.replaced !== undefined,
  };
}

/** A place to which a note can be moved. */
interface Destination extends LocatedNote {
  /** The crumpled note that is there. */
  readonly replaced: NoteFile | undefined;
}

function freePlace(target: LocatedNote): Destination {
  const { address } = target.note;
  const there = readTarget(target);
  if (there !== undefined && metaOfFile(there).crumpledAt === undefined) {
    throw new NoteError(
      "already_exists",
      `there is a note at ${shownAddress(address)} already; choose another address, or crumple that one first`,
      { address },
    );
  }
  return { ...target, replaced: there };
}

function readTarget({ path, note: { address } }: LocatedNote): NoteFile | undefined {
  try {
    return readNoteFile(path, address);
  } catch (error) {
    throw coded("write", address, error);
  }
}

/** Two names of one file: a link, another spelling where the file system does not tell them apart, or the same. */
function isSameFile(source: LocatedNote, target: LocatedNote): boolean {
  return fileKey(source.path) === fileKey(target.path);
}

interface Move {
  readonly from: NoteAddress;
  readonly to: NoteAddress;
  readonly identity: NotesIdentity;
}

/** The metadata that change, or `undefined` where nothing does. */
function changesAsked(
  old: NoteFile,
  { origin, crumpled }: UpdateRequest,
  body: string,
  move: Move | undefined,
): MetaChanges | undefined {
  const meta = metaOfFile(old);
  const now = new Date().toISOString();
  const isOriginNew = origin !== undefined && origin !== meta.origin;
  const isCrumplingNew = crumpled !== undefined && crumpled !== (meta.crumpledAt !== undefined);
  const isNewer = body !== old.text.body || isOriginNew || move !== undefined;
  if (!isNewer && !isCrumplingNew) return undefined;
  return {
    ...(isOriginNew ? { origin } : {}),
    ...(isNewer ? { updatedAt: now } : {}),
    ...(isCrumplingNew ? { crumpledAt: crumpled ? now : undefined } : {}),
    ...(move === undefined ? {} : ownershipAfter(move)),
  };
}

/** Only a session's notes belong to a project. */
function ownershipAfter({ from, to, identity }: Move): MetaChanges {
  const [wasIn, isIn] = [from.namespace.scope === "session", to.namespace.scope === "session"];
  if (wasIn === isIn) return {};
  return { project: isIn ? identity.projectKey : undefined };
}

function changeOf(old: NoteText, text: string, body: string, isBodyAlone: boolean): NoteChange {
  const kind = body === old.body ? "metadata" : "body";
  if (kind === "body" && isBodyAlone) return { kind, before: old.body, after: body };
  return { kind, before: serialized(old), after: text };
}

function serialized(note: NoteText): string {
  return note.frontmatter === undefined ? note.bom + note.body : joinNote(note, note.frontmatter.block, note.body);
}

/** Takes the source of a move away. If it cannot be, the destination is put back as it was. */
async function removeSource(
  source: LocatedNote,
  { path, replaced }: Destination,
  made: readonly string[],
): Promise<void> {
  try {
    rmSync(source.entry);
  } catch (error) {
    if (replaced === undefined) {
      rmSync(path, { force: true });
      removeFolders(made);
    } else await replaceFile(path, serialized(replaced.text), { old: replaced.stats, flush: true, keepTime: true });
    throw error;
  }
  await flushFolder(dirname(source.entry));
}
