/** The id of an issued result: a random UUID of version 4 in lower case, never derived from content. */
export type ResultId = string & { readonly kind: "result" };

/** What a reference takes of a result. All numbers count from 1, save `nth`, which counts from 0. */
export interface Selection {
  /** The item, as the row of the result was numbered. */
  readonly item?: number;
  /** One of the item's captures, by name; all of its ranges where `nth` is absent. */
  readonly capture?: string;
  readonly nth?: number;
  /** Lines of the snapshot, first and last, without the ending of the last. */
  readonly lines?: readonly [first: number, last: number];
}

/** A reference as it is written: `UUID`, `UUID#3`, `UUID#3.NAME`, `UUID#3.NAME[0]`, each with `@12` or `@12-20`. */
export interface Reference {
  readonly id: ResultId;
  readonly selection?: Selection;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const SHAPE = new RegExp(`^${UUID}(?=$|[#@])`, "iu");
const GRAMMAR = new RegExp(
  `^(${UUID})(?:#([1-9]\\d{0,8})(?:\\.([A-Za-z_$][\\w$]{0,63})(?:\\[(\\d{1,9})\\])?)?)?(?:@([1-9]\\d{0,8})(?:-([1-9]\\d{0,8}))?)?$`,
  "u",
);

/** Longer than any reference that there can be. */
const MAX_UNITS = 200;

/**
 * Reads a reference.
 *
 * @returns `undefined` where `input` is none; `"malformed"` where it begins as one and goes on in a way
 * that none does, so that it is never taken for a path
 */
export function parseReference(input: string): Reference | "malformed" | undefined {
  const beginning = input.slice(0, MAX_UNITS);
  if (!SHAPE.test(beginning)) return undefined;
  const match = GRAMMAR.exec(beginning);
  if (match === null || beginning.length < input.length) return "malformed";
  const [, id, item, capture, nth, first, last] = match;
  const selection: Selection = {
    ...(item === undefined ? {} : { item: Number(item) }),
    ...(capture === undefined ? {} : { capture }),
    ...(nth === undefined ? {} : { nth: Number(nth) }),
    ...(first === undefined ? {} : { lines: [Number(first), Number(last ?? first)] as const }),
  };
  return Object.keys(selection).length === 0 ? { id: id as ResultId } : { id: id as ResultId, selection };
}

const ENVELOPE = '<system-result id="';
const END = ">not file text</system-result>";
const ID_IN_ENVELOPE = new RegExp(`^${ENVELOPE}(${UUID})"`, "iu");
const IDS_IN_ENVELOPES = new RegExp(`${ENVELOPE}(${UUID})"`, "giu");
const UNSAFE_IN_ATTRIBUTE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff"&<>]|\p{Cs}/gu;

/**
 * The first line of a result: it names itself a system result, holds the id and what there is to
 * know about the body, and is no part of a file. Values are escaped, so that a file's name can
 * neither end the label nor imitate one.
 */
export function labelLine(id: ResultId, attributes: Readonly<Record<string, string | number>>): string {
  const facts = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  return `${ENVELOPE}${id}"${facts.join("")}${END}`;
}

function escaped(value: string): string {
  return value.replace(UNSAFE_IN_ATTRIBUTE, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
}

/** Whether a text begins with a label, or with what is left of one. */
export function isLabelled(text: string): boolean {
  const newline = text.indexOf("\n");
  const first = newline < 0 ? text : text.slice(0, newline);
  return first.startsWith(ENVELOPE) || first.endsWith(END);
}

/** The id in the label with which a text begins, whoever issued it. */
export function labelledId(text: string): string | undefined {
  return ID_IN_ENVELOPE.exec(text.slice(0, MAX_UNITS))?.[1];
}

/** Every id that stands in a label anywhere in a text, whoever issued it. */
export function labelledIds(text: string): readonly string[] {
  return Array.from(text.matchAll(IDS_IN_ENVELOPES), ([, id]) => id ?? "");
}
