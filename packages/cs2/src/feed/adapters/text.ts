/** Prepares text from external sources for use in match events and shortens it to the permitted length. */

/**
 * Shortens text to at most `length` UTF-16 code units. A surrogate pair at the limit is not split into an invalid
 * character.
 */
export const clipped = (text: string, length = 120): string => (text.length <= length ? text : text.slice(0, length).toWellFormed())

/** Returns the map name used in match events: `de_mirage` for `workshop/123/de_Mirage`. */
export const mapNameOf = (text: string): string => {
  const last = text.slice(text.lastIndexOf("/") + 1).toLowerCase()
  return last.replace(/[^a-z0-9_]/g, "_").slice(0, 60) || "unknown"
}
