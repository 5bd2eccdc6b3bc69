/** `length` is in UTF-16 code units. A surrogate pair at the limit is not split into an invalid character. */
export const clipped = (text: string, length = 120): string => (text.length <= length ? text : text.slice(0, length).toWellFormed())

/** `de_mirage` for `workshop/123/de_Mirage`. */
export const mapNameOf = (text: string): string => {
  const last = text.slice(text.lastIndexOf("/") + 1).toLowerCase()
  return last.replace(/[^a-z0-9_]/g, "_").slice(0, 60) || "unknown"
}
