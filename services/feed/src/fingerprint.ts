/** FNV-1a: short, stable hashes of texts. Not suitable for secrets, because collisions are easy to construct. */

const utf8 = new TextEncoder()

/** Returns a 32-bit hash of the text's UTF-8 bytes. */
export const fnv1a32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of utf8.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/**
 * Returns 64 bits in base 36: the hash of the text, followed by the hash of the text with a prefix. Long enough to
 * distinguish the lines of one match.
 */
export const fingerprint = (text: string): string => `${fnv1a32(text).toString(36)}${fnv1a32(`\u0001${text}`).toString(36)}`
