/**
 * Folds names and search texts of all games to comparable words: lower case, in Latin letters, without diacritics,
 * apostrophes and full stops. Greek and Cyrillic are transliterated; other alphabets are kept.
 */
import { composedLetters, diacritics, plainLetters, type Replacement, removed, separators, spelledOut, upperLetters } from "./letters.ts"

/** Characters of a search text that are used. No name is longer. */
const LONGEST_TEXT = 64
/** Words of a search text that are used. */
const MOST_WORDS = 6
/** In texts with more words, neighbouring words are not joined. */
const MOST_JOINED = 3

/** Words separated by single spaces. */
export const foldName = (name: string): string => fold(name, composedLetters)

/** The folded name and, if the name has letters such as `ö` or `đ`, the name with these letters spelled out. */
export const spellings = (name: string): ReadonlyArray<string> => [
  ...new Set([foldName(name), fold(name, [...spelledOut, ...composedLetters])].filter((words) => words !== "")),
]

/**
 * Readings of a search text as lists of words, best first, at most four: each spelling, and the plain one with two
 * neighbouring words joined, because names such as `O'Connell` and `McEnroe` are typed with a space.
 */
export const readings = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const found = spellings([...text].slice(0, LONGEST_TEXT).join("")).map((words) => words.split(" ").slice(0, MOST_WORDS))
  return [...found, ...joinings(found[0] ?? [])]
}

const joinings = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  words.length > MOST_JOINED ? [] : words.slice(1).map((word, at) => [...words.slice(0, at), `${words[at]}${word}`, ...words.slice(at + 2)])

const toLower = new Map([...upperLetters.upper].map((letter, at) => [letter, [...upperLetters.lower][at] ?? letter]))

const fold = (text: string, composed: ReadonlyArray<Replacement>): string => {
  const lower = isAscii.test(text) ? text : [...text.normalize("NFC")].map((letter) => toLower.get(letter) ?? letter).join("")
  const plain = replaced(lower, composed)
    .normalize("NFKD")
    .replaceAll(dropped, "")
    .replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase())
  return replaced(plain, plainLetters).replaceAll(between, " ").trim()
}

const replaced = (text: string, replacements: ReadonlyArray<Replacement>): string =>
  isAscii.test(text) ? text : replacements.reduce((so, [letters, replacement]) => so.replaceAll(letters, replacement), text)

const isAscii = /^[\x20-\x7e]*$/u
const dropped = new RegExp(`[${diacritics}${removed}]`, "gu")
const between = new RegExp(`[${separators}]+`, "gu")
