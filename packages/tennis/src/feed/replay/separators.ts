/** Compares a point string with its own separators, to explain why a score differs; they never give the score. */
import { winsGame, winsTieBreak } from "../../rules/live/format.ts"

/**
 * `LettersMisplaced`: letters and separators agree only if some points marked `A` or `D` were won by the other side.
 * `resolved` is null if that leaves open who won a game. `GamesBroken`: a game does not end at its separator, whoever
 * won these points.
 */
export type Agreement =
  | { readonly _tag: "Agrees" }
  | { readonly _tag: "LettersMisplaced"; readonly resolved: string | null }
  | { readonly _tag: "GamesBroken" }

/**
 * In part of the files, `A` and `D` stand at places where the letter that they replaced is unknown. `resolved` has `S`
 * or `R` there, so that each game and tie-break ends at its separator and not earlier. The last game may be incomplete.
 */
export const agreementOf = (points: string): Agreement => {
  let isMisplaced = false
  let isAmbiguous = false
  const games = points.split(/(?<=[;.])/)
  const resolved: Array<string> = []
  for (const [index, text] of games.entries()) {
    const end = /[;.]$/.exec(text)?.[0] ?? ""
    const letters = end === "" ? text : text.slice(0, -1)
    const isOpen = index === games.length - 1
    const judged = judge(letters, isOpen)
    if (judged === undefined) return { _tag: "GamesBroken" }
    if (judged !== letters) isMisplaced = true
    if (judged === null) isAmbiguous = true
    resolved.push((judged ?? letters) + end)
  }
  return isMisplaced ? { _tag: "LettersMisplaced", resolved: isAmbiguous ? null : resolved.join("") } : { _tag: "Agrees" }
}

/** Unknown letters in a game for which all combinations are tried. */
const MOST_UNKNOWN = 12

/**
 * The letters if they are a game, else the letters with `A` and `D` resolved. Null if readings differ in the winner of
 * the game, and undefined if no reading is a game.
 */
const judge = (letters: string, isOpen: boolean): string | null | undefined => {
  const plain = letters.replaceAll("A", "S").replaceAll("D", "R")
  if (isGame(plain, isOpen)) return letters
  const unknown = [...letters].flatMap((letter, at) => (letter === "A" || letter === "D" ? [at] : []))
  if (unknown.length > MOST_UNKNOWN) return undefined
  let found: string | undefined
  for (let choice = 0; choice < 2 ** unknown.length; choice++) {
    const reading = [...letters]
    for (const [bit, at] of unknown.entries()) reading[at] = (choice >> bit) % 2 === 0 ? "S" : "R"
    const text = reading.join("")
    if (!isGame(text, isOpen)) continue
    if (found !== undefined && winnerOf(found) !== winnerOf(text)) return null
    found ??= text
  }
  return found
}

const winnerOf = (letters: string): 0 | 1 => {
  const [one, two] = countsOf(letters)
  return one > two ? 0 : 1
}

/** The first count is that of the server; in a tie-break, of the side that served first. */
const countsOf = (letters: string): readonly [number, number] => {
  const won: [number, number] = [0, 0]
  let turn = 0
  for (const letter of letters) {
    if (letter === "/") turn = 1 - turn
    else won[(letter === "S") === (turn === 0) ? 0 : 1] += 1
  }
  return won
}

/** The letters are a game that ends with its last point or, if `isOpen`, does not end at all. */
const isGame = (letters: string, isOpen: boolean): boolean => {
  const isTieBreak = letters.includes("/")
  const ends = (text: string) => {
    const [one, two] = countsOf(text)
    const [most, least] = one > two ? [one, two] : [two, one]
    return isTieBreak ? winsTieBreak(most, least, 7) : winsGame(most, least, false)
  }
  const before = letters.replace(/\/*[^/]$/, "")
  return !ends(before) && (isOpen || ends(letters))
}
