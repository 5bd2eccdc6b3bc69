/** Parts of a response as values that can be stored. Never fails, whatever the receiver sent. */

/** UTF-16 code units. */
export const EXCERPT_CHARACTERS = 1_024
/** Enough for an excerpt: no character takes more than three bytes per UTF-16 code unit. */
export const EXCERPT_BYTES = 3 * EXCERPT_CHARACTERS
/** The longest delay is one day. */
const MAX_RETRY_AFTER_SECONDS = 86_400

/**
 * Start of a body. Bytes that are not UTF-8 become U+FFFD, white space becomes one space, and control characters and
 * marks of the text direction are removed, so PostgreSQL can store it. Empty if the body is compressed.
 */
export const excerptOf = (bytes: Uint8Array, contentEncoding: string | undefined): string => {
  if (bytes.length === 0 || (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== "identity")) return ""
  // With `stream`, a character that was cut off at the end is left out.
  const decoded = new TextDecoder().decode(bytes, { stream: true })
  const text = decoded
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim()
    .slice(0, EXCERPT_CHARACTERS)
  return text.isWellFormed() ? text : text.slice(0, -1)
}

/**
 * Whole seconds, 0 to 86,400. The header contains a number of seconds or an HTTP date that ends with GMT. Undefined if
 * it is missing or malformed.
 */
export const retryAfterOf = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS)
  if (!/^[A-Z][a-z]{2,8}, .{9,20} GMT$/.test(text)) return undefined
  const seconds = Math.ceil((Date.parse(text) - nowMs) / 1_000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}
