/**
 * Invented names, composed of syllables so that they belong to no real person or team. The n-th name of a seed is
 * always the same. Team names and nicknames of one seed are unique.
 */
import { childSeed, Random } from "./random.ts"

/** n >= 1. */
export const teamName = (seed: number, n: number): string => {
  const suffix = new Random(childSeed(seed, n)).pick(teamSuffixes)
  return `${capital(nthWord(teamWords, childSeed(seed, TEAMS), n))}${suffix}`
}

/** n >= 1. */
export const nickname = (seed: number, n: number): string => {
  const word = nthWord(nickWords, childSeed(seed, NICKS), n)
  const style = new Random(childSeed(seed, -n)).next()
  return style < 0.3 ? capital(word) : style < 0.36 ? word.toUpperCase() : word
}

/** n >= 1. Full names may repeat. */
export const personName = (seed: number, n: number): string => {
  const given = new Random(childSeed(seed, n)).pick(givenNames)
  return `${given} ${capital(nthWord(familyWords, childSeed(seed, FAMILIES), n))}`
}

const TEAMS = -1
const NICKS = -2
const FAMILIES = -3

type Syllables = ReadonlyArray<ReadonlyArray<string>>

/**
 * Successive n produce every combination of syllables once before any is repeated. Neighboring words are about 0.618
 * (the golden ratio) of all combinations apart, so they differ clearly. After all combinations, words get a number as a
 * suffix.
 */
const nthWord = (syllables: Syllables, seed: number, n: number): string => {
  const count = syllables.reduce((product, choices) => product * choices.length, 1)
  let index = (n * strideOf(count) + seed) % count
  let word = ""
  for (const choices of syllables) {
    word += choices[index % choices.length]
    index = Math.floor(index / choices.length)
  }
  const lap = Math.floor((n - 1) / count)
  return lap === 0 ? word : `${word}${lap + 1}`
}

/** No common divisor with `count`, so that multiples modulo `count` produce every number below it. */
const strideOf = (count: number): number => {
  let stride = Math.floor(count * 0.618)
  while (greatestCommonDivisor(stride, count) !== 1) stride += 1
  return stride
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const syllables = (...parts: ReadonlyArray<string>): Syllables => parts.map((part) => part.split(" "))

const teamWords = syllables(
  "bro cal dor esk fen gar hul jor kel lum mor nav orv pel quor rin sol tar ulm vel wex yor zan thal",
  "a e i o u ra li no",
  "dak vik mont rax sted loth nor quin bask dune feld gard",
)

const nickWords = syllables(
  "bra cho dre fli gno hax jem klo lur mop nub orp pli quo rus sne tol usk vro wim yel zab",
  "b d f k l m n p r t v z",
  "axo emi ilo ork uno ady ews irt oov ulp yq en",
)

const familyWords = syllables(
  "al ber cas dov ell fors gren hav is jal kor lind mar nor ost pav rav sel tor ul vos wen",
  "a e i o an en in",
  "berg dahl sky mark wood ric sen tov mann vist lay ova",
)

const teamSuffixes = ["", "", "", " Esports", " Gaming", " Club", " Five", " Union"] as const

// biome-ignore format: a word list
const givenNames = [
  "Adam", "Amir", "Anton", "Bruno", "Carl", "David", "Dario", "Elias", "Emil", "Felix", "Georg", "Hugo", "Igor", "Ivan", "Jonas", "Karim",
  "Leo", "Luca", "Marek", "Mateo", "Milan", "Nico", "Noah", "Oskar", "Paul", "Pavel", "Rafael", "Robin", "Samir", "Teo", "Viktor", "Yan",
] as const
