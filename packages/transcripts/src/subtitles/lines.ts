import { endsPhrase, lengthOf, lineOf, MAX_LINE, type Token } from "./words.ts"

/** Cost of a single word on a line, in characters of difference between the lines. */
const ORPHAN = 30
/** Advantage of a break after punctuation. */
const PHRASE = 8

/** Undefined if the text needs more than two lines. Two lines are of similar length, without single words. */
export const linesOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<string> | undefined => {
  if (lengthOf(tokens) <= MAX_LINE) return [lineOf(tokens)]
  let best: { readonly cost: number; readonly at: number } | undefined
  for (let at = 1; at < tokens.length; at++) {
    const [upper, lower] = [lengthOf(tokens.slice(0, at)), lengthOf(tokens.slice(at))]
    const last = tokens[at - 1]
    if (upper > MAX_LINE || lower > MAX_LINE || last === undefined) continue
    const orphans = at === 1 || at === tokens.length - 1 ? ORPHAN : 0
    const cost = Math.abs(upper - lower) + orphans - (endsPhrase(last) ? PHRASE : 0)
    if (best === undefined || cost < best.cost) best = { cost, at }
  }
  return best === undefined ? undefined : [lineOf(tokens.slice(0, best.at)), lineOf(tokens.slice(best.at))]
}
