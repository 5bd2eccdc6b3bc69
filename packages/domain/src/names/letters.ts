/**
 * The letters that `foldName` changes. The store builds SQL from the same tables, so that names are folded equally in
 * programs and in databases of any locale.
 */

const ranges: ReadonlyArray<readonly [from: number, to: number]> = [
  [0xc0, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x1e00, 0x1eff],
]

const isOneLetter = (text: string): boolean => [...text].length === 1

/** Letters outside ASCII (Latin, Greek, Cyrillic), in the same order in both texts. */
export const upperLetters: { readonly upper: string; readonly lower: string } = (() => {
  const pairs = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).flatMap((letter) => {
      const lower = letter.toLowerCase()
      return lower !== letter && isOneLetter(lower) ? [[letter, lower] as const] : []
    }),
  )
  return { upper: pairs.map(([upper]) => upper).join(""), lower: pairs.map(([, lower]) => lower).join("") }
})()

/** Replacements of a table apply in its order. */
export type Replacement = readonly [letters: string, replacement: string]

/** Names that are written without diacritics often spell these letters out: Goerges, Djokovic, Soerensen. */
export const spelledOut: ReadonlyArray<Replacement> = [
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
  ["å", "aa"],
  ["ø", "oe"],
  ["đ", "dj"],
]

/** Cyrillic letters whose diacritic matters, and endings of Russian names. They apply before diacritics are removed. */
export const composedLetters: ReadonlyArray<Replacement> = [
  ["ий", "y"],
  ["ый", "y"],
  ["й", "y"],
]

/** Letters that have no diacritic to remove, and letters of other alphabets as sport writes them in English. */
export const plainLetters: ReadonlyArray<Replacement> = [
  ...pairs("ß ss ø o ł l đ d ð d þ th æ ae œ oe ı i ħ h ŋ n"),
  ["ия", "ia"],
  ["ου", "ou"],
  ...pairs("а a б b в v г g ґ g д d е e є ye ж zh з z и i і i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch"),
  ...pairs("ы y э e ю yu я ya ђ dj ј j љ lj њ nj ћ c џ dz"),
  ["ъ", ""],
  ["ь", ""],
  ...pairs("α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"),
].map(([letters = "", replacement = ""]): Replacement => [letters, replacement])

/** Apostrophes and full stops. All other characters of `separators` separate words. */
export const removed = "'’‘ʼ`´."

/** Inner part of a regular expression's character class: punctuation, symbols and spaces. */
export const separators = String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\uff01-\uff0f`

/** Diacritics, after letters are decomposed. */
export const diacritics = String.raw`\u0300-\u036f`

function pairs(text: string): ReadonlyArray<ReadonlyArray<string>> {
  const words = text.split(" ")
  return Array.from({ length: words.length / 2 }, (_, at) => words.slice(2 * at, 2 * at + 2))
}
