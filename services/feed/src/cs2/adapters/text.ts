/** Text of other people on its way into facts: cut to what a fact may hold. */

/** At most `length` UTF-16 units, never half a character. */
export const clipped = (text: string, length = 120): string => (text.length <= length ? text : text.slice(0, length).toWellFormed())

/** The name of a map as facts have it: `workshop/123/de_Mirage` is `de_mirage`. */
export const mapNameOf = (text: string): string => {
  const last = text.slice(text.lastIndexOf("/") + 1).toLowerCase()
  return last.replace(/[^a-z0-9_]/g, "_").slice(0, 60) || "unknown"
}
