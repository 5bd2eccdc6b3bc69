/**
 * Properties of the score that every state of a match has, regardless of what its feeds report. An event whose result
 * would violate one of them is rejected. No side effects.
 *
 * - Every set before the last one has a winner, and its score is possible in the format.
 * - `setsWon` is the number of sets that each side has won.
 * - A game is in progress if and only if the match is live. It is not yet won.
 * - A completed match has a winner and a reason; the winner by score has won the sets that the format requires.
 */
import { setsToWin } from "./format.ts"
import { setsWonIn, setWinner } from "./sets.ts"
import type { MatchState } from "./state.ts"

/** First violation, or undefined. `before` skips sets that are unchanged. */
export const violationOf = (state: MatchState, before?: MatchState): string | undefined => {
  if ((state.status === "live") !== (state.game !== null)) return "a game is in progress exactly while the match is live"
  if (state.status === "completed") {
    if (state.winner === null || state.endReason === null) return "a completed match has a winner"
    if (state.endReason === "completed" && state.setsWon[state.winner] !== setsToWin(state.rules)) return "the winner lacks a set"
  }
  if (state.sets === before?.sets) return undefined
  for (const [index, set] of state.sets.entries()) {
    const winner = setWinner(set, index + 1, state.rules)
    if (winner !== set.winner) return `set ${index + 1} cannot stand at ${set.games.join("-")}`
    if (winner === null && index < state.sets.length - 1) return `set ${index + 1} is not over`
  }
  const [one, two] = setsWonIn(state.sets, state.rules)
  return one === state.setsWon[0] && two === state.setsWon[1] ? undefined : `the sets won are ${one}-${two}, not ${state.setsWon.join("-")}`
}
