import { asList, asObject, asText, type JsonObject, jsonText } from "../../json.ts";
import { imageMark } from "../../media.ts";

/** Units of the JSON that stands for what has no text of its own. */
const MAX_JSON_UNITS = 65_536;
const BASE64 = /"(?<key>base64|data)":"(?<data>[A-Za-z0-9+/=]{256,})"/gu;

/** A content that is one text is the same as a block of it. */
export function contentBlocks(content: unknown): readonly unknown[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
}

/** The text of a message's content: what is neither text nor media is left out. */
export function contentText(content: unknown): string {
  return joined(contentBlocks(content).map(blockText));
}

/** The text of a result's content: a block that is neither text nor media stands there as its JSON. */
export function outputText(content: unknown): string {
  return joined(contentBlocks(content).map((value) => blockText(value) ?? otherText(value)));
}

/** The text of a block; `undefined` for one that is neither text nor media. */
export function blockText(value: unknown): string | undefined {
  const block = asObject(value);
  switch (block?.type) {
    case "text":
      return asText(block.text);
    case "image":
      return mediaMark(asObject(block.source));
    case "document":
      return documentText(asObject(block.source));
    default:
      return undefined;
  }
}

/** A name with the rest of an object behind it, as JSON without the data of any media. */
export function namedJson(name: string, rest: unknown): string {
  const json = jsonText(rest)?.replaceAll(BASE64, (_, key: string, data: string) => `"${key}":"${dataMark(data)}"`);
  if (json === undefined) return `[${name}]`;
  return `[${name}]\n${json.length > MAX_JSON_UNITS ? `${json.slice(0, MAX_JSON_UNITS)}…` : json}`;
}

/** The value where it is a text of at least one character. */
export function nonEmpty(value: unknown): string | undefined {
  return value === "" ? undefined : asText(value);
}

/**
 * Whether a text has anything but white space. Only that of ASCII counts: in a text that was read as
 * bytes, nothing else can be told.
 */
export function isWords(text: string | undefined): text is string {
  return text !== undefined && /[^\t\n\r ]/u.test(text);
}

/** Whether the text of a content has any words, without making it. */
export function hasWords(content: unknown): boolean {
  return typeof content === "string" ? isWords(content) : asList(content).some((block) => isWords(blockText(block)));
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join("\n");
}

function otherText(value: unknown): string | undefined {
  const block = asObject(value);
  if (block === undefined) return undefined;
  const { type, ...rest } = block;
  return namedJson(asText(type) ?? "unknown", rest);
}

function mediaMark(source: JsonObject | undefined): string {
  return imageMark(asText(source?.media_type), source?.type === "base64" ? asText(source.data) : undefined);
}

/** How many bytes a text of base64 stands for, as it is said of an image. */
function dataMark(base64: string): string {
  return imageMark("", base64).replace("[image: , ", "[");
}

/** A document is marked as an image is, but for one of text, which is its text. */
function documentText(source: JsonObject | undefined): string {
  const text = source?.type === "text" ? asText(source.data) : undefined;
  return text ?? mediaMark(source).replace("[image", "[document");
}
