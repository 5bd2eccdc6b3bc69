/** Divides the words of a segment among subtitles: as few as possible, of similar length, none with a single word. */
import { linesOf } from "./lines.ts"
import { endsPhrase, lengthOf, MAX_LINE, type Token } from "./words.ts"

/** Most tokens of a subtitle. More do not fit in two lines, except for tokens of one character. */
const MAX_TOKENS = 2 * MAX_LINE
/** Cost of a subtitle with a single word, in squared characters. */
const ORPHAN = 2_000
/** Advantage of a subtitle that ends with punctuation. */
const PHRASE = 300

interface Choice {
  readonly cost: number
  readonly from: number
}

/** Returns at least `atLeast` parts if there are enough tokens. Every part fits in two lines. */
export const splitTokens = (tokens: ReadonlyArray<Token>, atLeast: number): ReadonlyArray<ReadonlyArray<Token>> => {
  if (tokens.length === 0) return []
  const total = lengthOf(tokens)
  const parts = Math.max(1, Math.min(atLeast, Math.floor(tokens.length / 2)), Math.ceil(total / (2 * MAX_LINE)))
  const target = total / parts
  // choices[end] is the best way to divide the first `end` tokens.
  const choices: Array<Choice | undefined> = [{ cost: 0, from: 0 }]
  for (let end = 1; end <= tokens.length; end++) {
    let best: Choice | undefined
    for (let from = end - 1; from >= Math.max(0, end - MAX_TOKENS); from--) {
      const part = tokens.slice(from, end)
      if (linesOf(part) === undefined) break
      const before = choices[from]
      if (before === undefined) continue
      const cost = before.cost + costOf(part, target)
      if (best === undefined || cost < best.cost) best = { cost, from }
    }
    choices.push(best)
  }
  return backtracked(tokens, choices)
}

const costOf = (part: ReadonlyArray<Token>, target: number): number => {
  const last = part.at(-1)
  const phrase = last !== undefined && endsPhrase(last) ? PHRASE : 0
  return (lengthOf(part) - target) ** 2 + (part.length === 1 ? ORPHAN : 0) - phrase
}

const backtracked = (tokens: ReadonlyArray<Token>, choices: ReadonlyArray<Choice | undefined>): ReadonlyArray<ReadonlyArray<Token>> => {
  const parts: Array<ReadonlyArray<Token>> = []
  for (let end = tokens.length; end > 0; ) {
    const from = choices[end]?.from ?? end - 1
    parts.unshift(tokens.slice(from, end))
    end = from
  }
  return parts
}
