const IMAGES: readonly (readonly [mime: string, matches: (bytes: Uint8Array) => boolean])[] = [
  ["image/png", (bytes) => beginsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ["image/jpeg", (bytes) => beginsWith(bytes, 0xff, 0xd8, 0xff)],
  ["image/gif", (bytes) => beginsWith(bytes, 0x47, 0x49, 0x46, 0x38)],
  [
    "image/webp",
    (bytes) => beginsWith(bytes, 0x52, 0x49, 0x46, 0x46) && beginsWith(bytes.subarray(8), 0x57, 0x45, 0x42, 0x50),
  ],
];

function beginsWith(bytes: Uint8Array, ...magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** The MIME type of an image that models can look at, by its first bytes. */
export function imageMime(bytes: Uint8Array): string | undefined {
  return IMAGES.find(([, matches]) => matches(bytes))?.[0];
}
