/** How names are compared, found and written in addresses. Pure; the archive stores what these give. */

const marks = /\p{M}+/gu
const notWord = /[^\p{L}\p{N}]+/gu

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(marks, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("đ", "d")
    .replaceAll("æ", "ae")
    .replaceAll("œ", "oe")

/** Words that organisations carry or leave out as they like; never the whole name. */
const optionalWords = new Set(["team", "esports", "esport", "gaming", "club", "clan", "gg", "e"])

/**
 * What two spellings of one name have in common: case, accents, punctuation and words such as "Team" or "Esports" do not matter.
 * Handles of nothing but signs keep their signs, so that the key is empty for an empty name only.
 */
export const nameKey = (name: string): string => {
  const words = spokenWords(name)
  const kept = words.filter((word) => !optionalWords.has(word))
  const key = (kept.length > 0 ? kept : words).join("")
  return key === "" ? name.trim().toLowerCase() : key
}

/** A player's handle: nothing is optional in it, and digits that stand for letters are what makes it his. */
export const handleKey = (handle: string): string => {
  const key = folded(handle).replace(notWord, "")
  return key === "" ? handle.trim().toLowerCase() : key
}

/** The words of a name or of a question, as they are spoken; none where there are signs only. */
export const spokenWords = (text: string): ReadonlyArray<string> => folded(text).replace(notWord, " ").trim().split(" ").filter(Boolean)

/** What search looks at: words as they are spoken, and beside them without the gaps, so that `m0NESY`, `m0 nesy` and `s1mple.` are found. */
export const searchKey = (...texts: ReadonlyArray<string | null | undefined>): string => {
  const words = new Set<string>()
  for (const text of texts) {
    if (text === null || text === undefined) continue
    const spoken = spokenWords(text).join(" ")
    if (spoken === "") words.add(text.trim().toLowerCase())
    else {
      words.add(spoken)
      words.add(spoken.replaceAll(" ", ""))
    }
  }
  words.delete("")
  return [...words].join(" ")
}

/** For addresses; `taken` says whether another entity has it already, and is then told apart by its number. */
export const slugOf = (name: string, fallback: string): string => {
  const slug = folded(name)
    .replace(notWord, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80)
  return slug === "" ? fallback : slug
}
