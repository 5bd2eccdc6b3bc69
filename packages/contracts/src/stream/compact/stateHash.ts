/**
 * The hash of a document, by which a client that applies deltas knows that it is where the server is: CRC-32 (IEEE 802.3) of the
 * document's canonical JSON (keys sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them; as RFC 8785),
 * in UTF-8, as eight lower-case hex digits. It finds mistakes; it does not protect against anyone.
 */
import type { JsonObject } from "./mergePatch.ts"

/** Every delta whose seq this divides carries the hash of the document after it. */
export const HASH_EVERY = 32

/**
 * `known` remembers the texts of parts, for documents whose unchanged parts stay the same objects and are never changed: what is
 * hashed again and again then costs what is new in it.
 */
export const stateHash = (document: JsonObject, known?: WeakMap<object, string>): string =>
  (crc32(utf8.encode(known === undefined ? canonical(document) : remembered(document, known, 0))) >>> 0).toString(16).padStart(8, "0")

export const canonical = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  return objectText(value as JsonObject, canonical)
}

/** Parts and parts of parts are remembered (a map, a round, a player); what is smaller is written faster than found. */
const REMEMBERED_DEPTH = 2

const remembered = (value: unknown, known: WeakMap<object, string>, depth: number): string => {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > REMEMBERED_DEPTH) return canonical(value)
  const found = known.get(value)
  if (found !== undefined) return found
  const made = objectText(value as JsonObject, (part) => remembered(part, known, depth + 1))
  known.set(value, made)
  return made
}

const objectText = (object: JsonObject, textOf: (part: unknown) => string): string => {
  let text = ""
  for (const key of Object.keys(object).sort()) {
    const part = object[key]
    if (part !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${textOf(part)}`
  }
  return `{${text}}`
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
