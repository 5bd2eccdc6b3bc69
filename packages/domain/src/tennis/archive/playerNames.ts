/** Normalises names of tennis players for the search, in the same way as the archive's search words. */

/**
 * Returns the words of a name or a search text: lower case, without accents, apostrophes and full stops. Other
 * punctuation separates words.
 */
export const searchWords = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f'’.]/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ")
    .filter(Boolean)
