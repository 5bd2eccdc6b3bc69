/** Writes scores in the form of the archive, such as `6-4 3-6 7-6(5)`. `archive/score.ts` reads them. No side effects. */
import type { Pair, SideIndex } from "./format.ts"
import type { MatchState, SetScore } from "./state.ts"

/**
 * Score from the view of one side, usually the winner. The number in brackets is the points of the loser of the
 * tie-break. A match tie-break is `[10-8]`. A retirement adds `RET`; a walkover is `W/O`. Sets without a point that
 * follow another set are left out.
 */
export const scoreText = ({ endReason, game, sets }: MatchState, view: SideIndex): string => {
  if (endReason === "walkover") return "W/O"
  const texts = sets.flatMap((set, index) => {
    const isUnplayed = set.winner === null && set.games[0] + set.games[1] === 0 && (game === null || game.points[0] + game.points[1] === 0)
    return isUnplayed && index > 0 ? [] : [setText(set, view)]
  })
  return [...texts, ...(endReason === "retired" ? ["RET"] : [])].join(" ")
}

const setText = ({ games, tieBreak }: SetScore, view: SideIndex): string => {
  const seen = ([one, two]: Pair) => (view === 0 ? `${one}-${two}` : `${two}-${one}`)
  if (tieBreak === null) return seen(games)
  return games[0] + games[1] === 1 ? `[${seen(tieBreak)}]` : `${seen(games)}(${Math.min(...tieBreak)})`
}
