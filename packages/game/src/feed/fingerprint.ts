/** Short, stable hashes of text (FNV-1a). Not for security, because collisions are easy to construct. */

const utf8 = new TextEncoder()

/** Hash of the text's UTF-8 bytes. */
export const fnv1a32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of utf8.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Two 32-bit hashes in base 36, of the text and of the text with a prefix: enough to distinguish a match's lines. */
export const fingerprint = (text: string): string => `${fnv1a32(text).toString(36)}${fnv1a32(`\u0001${text}`).toString(36)}`
