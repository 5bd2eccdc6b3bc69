/** Converts names to keys for comparison and search, and to slugs for URLs. The archive stores both. */
import { spellings } from "@matchpoint/domain/names/foldName"

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

/** Ignored in comparisons, because organisations use them inconsistently. Kept if the name has nothing else. */
const optionalWords = new Set(["team", "esports", "esport", "gaming", "club", "clan", "gg", "e"])

/**
 * The same for all spellings of a name: case, accents, punctuation and words such as "Team" or "Esports" are ignored. A
 * name without letters and digits keeps its punctuation, so that only an empty name has an empty key.
 */
export const nameKey = (name: string): string => {
  const words = normalizedWords(name)
  const kept = words.filter((word) => !optionalWords.has(word))
  const key = (kept.length > 0 ? kept : words).join("")
  return key === "" ? name.trim().toLowerCase() : key
}

/** Unlike `nameKey`, ignores no words. Digits that stand for letters are kept, because they distinguish handles. */
export const handleKey = (handle: string): string => {
  const key = folded(handle).replace(notWord, "")
  return key === "" ? handle.trim().toLowerCase() : key
}

/** Empty if the text contains only punctuation. */
export const normalizedWords = (text: string): ReadonlyArray<string> => folded(text).replace(notWord, " ").trim().split(" ").filter(Boolean)

/**
 * Text for the search index: the normalised words, and the same words joined without spaces. A player is therefore
 * found by `m0NESY` as well as by `m0 nesy`, and punctuation as in `s1mple.` does not matter.
 */
export const searchKey = (...texts: ReadonlyArray<string | null | undefined>): string => {
  const words = new Set<string>()
  for (const text of texts) {
    if (text === null || text === undefined) continue
    const normalized = normalizedWords(text).join(" ")
    if (normalized === "") words.add(text.trim().toLowerCase())
    else {
      words.add(normalized)
      words.add(normalized.replaceAll(" ", ""))
    }
  }
  words.delete("")
  return [...words].join(" ")
}

/** Search text of teams, players and events. Adds the names in Latin letters, and with letters such as `ö` spelled out. */
export const entitySearchKey = (...texts: ReadonlyArray<string | null>): string =>
  searchKey(...texts, ...texts.flatMap((text) => (text === null ? [] : spellings(text))))

/** `fallback` if the name has no letters or digits. */
export const slugOf = (name: string, fallback: string): string => {
  const slug = folded(name)
    .replace(notWord, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80)
  return slug === "" ? fallback : slug
}
