/**
 * The hash of a document, by which a client that applies deltas knows that it is where the server is: CRC-32 (IEEE 802.3) of the
 * document's canonical JSON (keys sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them; as RFC 8785),
 * in UTF-8, as eight lower-case hex digits. It finds mistakes; it does not protect against anyone.
 */
import type { JsonObject } from "./mergePatch.ts"

/** Every delta whose seq this divides carries the hash of the document after it. */
export const HASH_EVERY = 16

export const stateHash = (document: JsonObject): string => (crc32(utf8.encode(canonical(document))) >>> 0).toString(16).padStart(8, "0")

export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const parts: Array<string> = []
  for (const key of Object.keys(value).sort()) {
    const part: unknown = (value as JsonObject)[key]
    if (part !== undefined) parts.push(`${JSON.stringify(key)}:${canonical(part)}`)
  }
  return `{${parts.join(",")}}`
}

const utf8 = new TextEncoder()

const table = new Int32Array(256)
for (let byte = 0; byte < 256; byte++) {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder & 1) === 0 ? remainder >>> 1 : (remainder >>> 1) ^ 0xedb88320
  table[byte] = remainder
}

const crc32 = (bytes: Uint8Array): number => {
  let crc = -1
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
  return ~crc
}
