import { asList, asObject, asText } from "../../json.ts";
import { imageMark } from "../../media.ts";

/** The text of a message's content, which is a text, or blocks of text and images. */
export function contentText(content: unknown): string {
  const texts = contentBlocks(content).map(blockText);
  return texts.filter((text) => text !== undefined).join("\n");
}

/** A content that is one text is the same as a block of it. */
export function contentBlocks(content: unknown): readonly unknown[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
}

/** The text of a block; `undefined` for one that is neither text nor an image. */
export function blockText(value: unknown): string | undefined {
  const block = asObject(value);
  if (block === undefined) return undefined;
  const { type, text, mimeType, data } = block;
  if (type === "text") return asText(text);
  return type === "image" ? imageMark(asText(mimeType), asText(data)) : undefined;
}
