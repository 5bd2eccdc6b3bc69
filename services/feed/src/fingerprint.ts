/** FNV-1a: short, stable numbers for texts. Not for secrets: anybody can make two texts meet. */

const utf8 = new TextEncoder()

/** 32 bits, over the text's UTF-8 bytes. */
export const fnv1a32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of utf8.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** 64 bits in base 36: the hashes of the text and of the text behind a mark. Long enough to tell the lines of one match apart. */
export const fingerprint = (text: string): string => `${fnv1a32(text).toString(36)}${fnv1a32(`\u0001${text}`).toString(36)}`
