import { createHash } from "node:crypto";
import { deviceStem, isDeviceName } from "./device-name.ts";

/** Characters of a slug, at the most. */
const SLUG_MAX_CHARS = 64;

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
 * @throws TypeError where nothing is left of the name
 */
export function slugify(value: string): string {
  const plain = value
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9.]+/gu, "-");
  const slug = notADevice(stripEnds(plain));
  if (slug === "")
    throw new TypeError(
      `slugify: nothing of ${JSON.stringify(value.slice(0, 80))} can stand in a name; use letters of a-z or digits`,
    );
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

/** Strips `-` and `.` at both ends. */
export function stripEnds(slug: string): string {
  return slug.replace(/^[-.]+|[-.]+$/gu, "");
}

/** The mark goes behind the stem, before any extension: `nul.txt` is a device, `nul-x.txt` is not. */
function notADevice(slug: string): string {
  if (!isDeviceName(slug)) return slug;
  const stem = deviceStem(slug);
  return `${stem}-x${slug.slice(stem.length)}`;
}
