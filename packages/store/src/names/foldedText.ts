/** SQL that folds names as `foldName` of the domain does, on any database and in any locale. */
import {
  composedLetters,
  diacritics,
  plainLetters,
  type Replacement,
  removed,
  separators,
  spelledOut,
  upperLetters,
} from "@matchpoint/domain/names/letters"

/** The folded text of an expression, or the one in which letters such as `ö` are spelled out. Null stays null. */
export const foldedText = (of: string, spelling: "plain" | "spelled out" = "plain"): string => {
  const composed = spelling === "plain" ? composedLetters : [...spelledOut, ...composedLetters]
  const lower = `translate(normalize(${of}, NFC), ${quoted(upperLetters.upper)}, ${quoted(upperLetters.lower)})`
  const decomposed = `normalize(${replacedText(lower, composed)}, NFKD)`
  // Nearly all names have only ASCII letters, for which the long expression does nothing.
  return `CASE WHEN ${of} ~ '^[\\u0020-\\u007e]*$' THEN ${wordsText(plainText(of))}
    ELSE ${wordsText(replacedText(plainText(decomposed), plainLetters))} END`
}

const plainText = (of: string): string => `lower(regexp_replace(${of}, ${quoted(`[${diacritics}${removed}]`)}, '', 'g') COLLATE "C")`
const wordsText = (of: string): string => `trim(regexp_replace(${of}, ${quoted(`[${separators}]+`)}, ' ', 'g'))`

const replacedText = (of: string, replacements: ReadonlyArray<Replacement>): string =>
  replacements.reduce((so, [letters, replacement]) => `replace(${so}, ${quoted(letters)}, ${quoted(replacement)})`, of)

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
