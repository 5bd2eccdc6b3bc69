/** The pieces between which a subtitle may be broken. Lengths are in Unicode characters. */

/** Length of a line of a subtitle. */
export const MAX_LINE = 42

export interface Token {
  readonly text: string
  readonly length: number
  /** True if the token follows its predecessor without a space, as words of Chinese and Japanese do. */
  readonly isGlued: boolean
}

/** Returns the words of a text. Control characters count as spaces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: speech engines emit them, and subtitle files must not contain them
export const wordsOf = (text: string): ReadonlyArray<string> => text.split(/[\s\u0000-\u001f\u007f]+/u).filter((word) => word !== "")

/** No token is longer than a line. */
export const tokensOf = (text: string, language: string): ReadonlyArray<Token> => wordsOf(text).flatMap((word) => ofWord(word, language))

/** Length of the tokens on one line. */
export const lengthOf = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce((sum, { isGlued, length }, index) => sum + length + (index === 0 || isGlued ? 0 : 1), 0)

export const lineOf = (tokens: ReadonlyArray<Token>): string =>
  tokens.map(({ isGlued, text }, index) => (index === 0 || isGlued ? text : ` ${text}`)).join("")

/** True if a reader pauses after the token. */
export const endsPhrase = ({ text }: Token): boolean => /[.,;:!?…。、，！？；：]["'”’)»]?$/u.test(text)

/** Shorter text without spaces is not split, because a word of most languages fits on a line. */
const PIECES_FROM = 20

const ofWord = (word: string, language: string): ReadonlyArray<Token> => {
  if (lengthOfText(word) <= PIECES_FROM) return [tokenOf(word, false)]
  const parts = segmenterOf(language, "word", word).flatMap((part) => (lengthOfText(part) > MAX_LINE ? chopped(part, language) : [part]))
  return attached(parts).map((part, index) => tokenOf(part, index > 0))
}

/** Attaches punctuation to the part before it, if both fit on a line. */
const attached = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && !/[\p{L}\p{N}]/u.test(part) && lengthOfText(last) + lengthOfText(part) <= MAX_LINE)
      joined.splice(-1, 1, last + part)
    else joined.push(part)
  }
  return joined
}

/** Cuts between what readers see as characters. A character of more than a line is cut between its code points. */
const chopped = (part: string, language: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const grapheme of segmenterOf(language, "grapheme", part)) {
    for (const piece of lengthOfText(grapheme) > MAX_LINE ? [...grapheme] : [grapheme]) {
      const last = lines.at(-1)
      if (last !== undefined && lengthOfText(last) + lengthOfText(piece) <= MAX_LINE) lines.splice(-1, 1, last + piece)
      else lines.push(piece)
    }
  }
  return lines
}

const segmenterOf = (language: string, granularity: "word" | "grapheme", text: string): ReadonlyArray<string> =>
  Array.from(new Intl.Segmenter(/^[a-z]{2,3}$/.test(language) ? language : "en", { granularity }).segment(text), ({ segment }) => segment)

const lengthOfText = (text: string): number => [...text].length

const tokenOf = (text: string, isGlued: boolean): Token => ({ text, length: lengthOfText(text), isGlued })
