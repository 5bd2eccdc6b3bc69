/** FNV-1a: short, stable numbers for texts. Not for secrets: anybody can make two texts meet. */

/** 32 bits, over the UTF-16 code units' bytes, low byte first. */
export const fnv1a32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return hash >>> 0
}

/** About 53 bits in base 36: two 32-bit hashes of different seeds. Long enough to tell the lines of one match apart. */
export const fingerprint = (text: string): string => `${fnv1a32(text).toString(36)}${fnv1a32(`\u0001${text}`).toString(36)}`
