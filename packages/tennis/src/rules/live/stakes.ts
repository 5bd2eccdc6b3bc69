/** The most that each side can win with the next point, by the rules of the format. */
import { otherSide, type SideIndex, setsToWin, winsGame, winsSet, winsTieBreak } from "./format.ts"
import { type MatchState, serverOf } from "./state.ts"

/** The most that a side wins with the next point. `break` is a game in which the other side serves. */
export type Stake = "game" | "break" | "set" | "match"

/** Null if the side wins only the point. */
export const stakeOf = (state: MatchState, side: SideIndex): Stake | null => {
  const { game, rules, sets, setsWon } = state
  const set = sets[sets.length - 1]
  if (game === null || set === undefined) return null
  const other = otherSide(side)
  const own = game.points[side] + 1
  const isTieBreak = game.tieBreakTo !== null
  const winsIt =
    game.tieBreakTo === null ? winsGame(own, game.points[other], rules.noAd) : winsTieBreak(own, game.points[other], game.tieBreakTo)
  if (!winsIt) return null
  if (!isTieBreak && !winsSet(set.games[side] + 1, set.games[other])) return serverOf(state) === side ? "game" : "break"
  return setsWon[side] + 1 === setsToWin(rules) ? "match" : "set"
}

/** Weight of the next point in the momentum, 1 to 4: the most that either side can win with it. */
export const importanceOf = (state: MatchState): number => Math.max(weightOf(stakeOf(state, 0)), weightOf(stakeOf(state, 1)))

const weights: Readonly<Record<Stake, number>> = { game: 1, break: 2, set: 3, match: 4 }
const weightOf = (stake: Stake | null): number => (stake === null ? 1 : weights[stake])
