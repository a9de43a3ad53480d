import { createHash } from "node:crypto";
import { deviceStem, isDeviceName } from "./device-name.ts";
import { NoteError } from "./error.ts";
import { shownValue } from "./given.ts";

/** Characters of a slug, at the most. */
export const SLUG_MAX_CHARS = 64;

/** UTF-16 units of a name of which a slug is made. */
const NAME_MAX_UNITS = 1_048_576;

const HASH_CHARS = 8;

/**
 * Makes a canonical name for an agent or a model: decomposed (NFKD), lower-cased, marks dropped,
 * each run of anything but `a-z`, `0-9` and `.` turned into one `-`, `-` and `.` stripped at both
 * ends. A Windows device name gets `-x`. Past 64 characters it is cut to at most 55, `-`, and 8
 * hexadecimal digits of the SHA-256 of the whole input. A slug is the slug of itself.
 *
 * @example
 * ```ts
 * slugify("Claude Opus 4.1"); // "claude-opus-4.1"
 * ```
 *
 * @throws NoteError `invalid_identity` where nothing is left of the name, and where it is no text or
 * has more than 1,048,576 UTF-16 units
 */
export function slugify(value: string): string {
  if (typeof value !== "string" || value.length > NAME_MAX_UNITS)
    throw invalid(value, `a name is a text of at most ${NAME_MAX_UNITS} characters`);
  const plain = value
    // Before too: to put a long run of marks in order takes time that grows as its square.
    .replace(/\p{M}+/gu, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9.]+/gu, "-");
  const slug = notADevice(stripEnds(plain));
  if (slug === "") throw invalid(value, "nothing of it can stand in a name; use letters of a-z or digits");
  if (slug.length <= SLUG_MAX_CHARS) return slug;
  return `${stripEnds(slug.slice(0, SLUG_MAX_CHARS - HASH_CHARS - 1))}-${shortHash(value)}`;
}

/**
 * The first 8 hexadecimal digits of the SHA-256 of a text's UTF-8: what keeps two like names apart.
 * UTF-8 cannot say a lone surrogate: of a text that holds one, the UTF-16 is taken.
 */
export function shortHash(text: string): string {
  const bytes = Buffer.from(text, text.isWellFormed() ? "utf8" : "utf16le");
  return createHash("sha256").update(bytes).digest("hex").slice(0, HASH_CHARS);
}

function invalid(value: unknown, why: string): NoteError {
  return new NoteError("invalid_identity", `no slug can be made of ${shownValue(value)}: ${why}`);
}

/** Strips `-` and `.` at both ends. An expression would take the square of a long run that is at neither. */
export function stripEnds(slug: string): string {
  let [from, to] = [0, slug.length];
  while (from < to && isMark(slug[from])) from++;
  while (to > from && isMark(slug[to - 1])) to--;
  return slug.slice(from, to);
}

function isMark(character: string | undefined): boolean {
  return character === "-" || character === ".";
}

/** The mark goes behind the stem, before any extension: `nul.txt` is a device, `nul-x.txt` is not. */
function notADevice(slug: string): string {
  if (!isDeviceName(slug)) return slug;
  const stem = deviceStem(slug);
  return `${stem}-x${slug.slice(stem.length)}`;
}
