/** Judges the score of a set by the rules of the format. No side effects. */
import type { CorrectedSet } from "./feedEvents.ts"
import { GAMES_PER_SET, isFinalSet, isMatchTieBreak, type MatchFormat, type Pair, type SideIndex, winsSet, winsTieBreak } from "./format.ts"

/** Null if the set is in progress; "impossible" if the format does not allow the score. */
export const setWinner = ({ games, tieBreak }: CorrectedSet, set: number, format: MatchFormat): SideIndex | null | "impossible" => {
  const [one, two] = games
  const ahead: SideIndex = one > two ? 0 : 1
  const [most, least] = one > two ? [one, two] : [two, one]
  if (tieBreak !== null) {
    const target = isFinalSet(set, format) && format.finalSet !== "tie_break" ? 10 : 7
    const isScore = isMatchTieBreak(set, format) ? most === 1 && least === 0 : most === GAMES_PER_SET + 1 && least === GAMES_PER_SET
    const [own, other] = ahead === 0 ? tieBreak : [tieBreak[1], tieBreak[0]]
    const isPlayed = !(isFinalSet(set, format) && format.finalSet === "advantage")
    // A tie-break ends as soon as it is won, so beyond the target the lead is exactly two.
    return isPlayed && isScore && winsTieBreak(own, other, target) && (own === target || own - other === 2) ? ahead : "impossible"
  }
  if (isMatchTieBreak(set, format)) return most === 0 ? null : "impossible"
  if (winsSet(most, least)) return most === GAMES_PER_SET || (most - least === 2 && canReach(most, set, format)) ? ahead : "impossible"
  return most <= GAMES_PER_SET || canReach(most + 1, set, format) ? null : "impossible"
}

/** A side can have this many games without a tie-break. */
const canReach = (games: number, set: number, format: MatchFormat): boolean =>
  games <= GAMES_PER_SET + 1 || (isFinalSet(set, format) && format.finalSet === "advantage")

export const setsWonIn = (sets: ReadonlyArray<CorrectedSet>, format: MatchFormat): Pair => {
  const won: [number, number] = [0, 0]
  for (const [index, set] of sets.entries()) {
    const winner = setWinner(set, index + 1, format)
    if (winner === 0 || winner === 1) won[winner] += 1
  }
  return won
}
