import { type Static, type TSchema, Type } from "typebox";

/**
 * One of several schemas, written with `oneOf`: the word that every host of the protocol can type
 * for its scripts.
 */
export function oneOf<const Schemas extends readonly TSchema[]>(
  schemas: Schemas,
  options: { description?: string } = {},
): Type.TUnsafe<Static<Schemas[number]>> {
  return Type.Unsafe<Static<Schemas[number]>>({ oneOf: schemas, ...options });
}

/** One of several words. It says its `type` too: some model providers refuse an `enum` without one. */
export function oneWordOf<const Words extends readonly string[]>(
  words: Words,
  options: { description?: string } = {},
): Type.TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: "string", enum: words, ...options });
}

/** An object that takes no other properties than those named. */
export function exactly<Properties extends Type.TProperties>(properties: Properties): Type.TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}
