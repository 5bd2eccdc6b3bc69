/** Formats of matches as data, and when a game, a tie-break, a set and a match are won. Holds no state. */
import { Schema } from "effect"

/** A side is a player in singles, a pair in doubles. */
export type SideIndex = 0 | 1
export const SideIndex = Schema.Literals([0, 1])

export const otherSide = (side: SideIndex): SideIndex => (side === 0 ? 1 : 0)

export type Pair = readonly [number, number]

/**
 * How the last possible set is decided:
 * - `tie_break`: like every other set, by a tie-break to 7 at 6-6.
 * - `tie_break_10`: by a tie-break to 10 at 6-6.
 * - `advantage`: without a tie-break, by two games' lead.
 * - `match_tie_break`: a tie-break to 10 replaces the set.
 */
export const FinalSet = Schema.Literals(["tie_break", "tie_break_10", "advantage", "match_tie_break"])
export type FinalSet = typeof FinalSet.Type

export const MatchFormat = Schema.Struct({
  bestOf: Schema.Literals([1, 3, 5]),
  finalSet: FinalSet,
  /** The point at deuce decides the game. */
  noAd: Schema.Boolean,
  /** Two pairs play. The players of a pair serve alternately. */
  doubles: Schema.Boolean,
})
export type MatchFormat = typeof MatchFormat.Type

/** Default format: singles, with a tie-break to 7 in every set. */
export const bestOfThree: MatchFormat = { bestOf: 3, finalSet: "tie_break", noAd: false, doubles: false }

/** Wins a set with a lead of two. At this score on both sides, a tie-break is played. */
export const GAMES_PER_SET = 6

/** Last possible set of the match. `set` counts from 1. */
export const isFinalSet = (set: number, { bestOf }: MatchFormat): boolean => set === bestOf

/** A match tie-break has no games. */
export const isMatchTieBreak = (set: number, format: MatchFormat): boolean =>
  isFinalSet(set, format) && format.finalSet === "match_tie_break"

/** Points that win the tie-break due at this score of a set; undefined if an ordinary game is due. */
export const tieBreakDue = (games: Pair, set: number, format: MatchFormat): 7 | 10 | undefined => {
  if (isMatchTieBreak(set, format)) return 10
  if (games[0] !== GAMES_PER_SET || games[1] !== GAMES_PER_SET) return undefined
  if (!isFinalSet(set, format)) return 7
  return format.finalSet === "advantage" ? undefined : format.finalSet === "tie_break_10" ? 10 : 7
}

export const winsTieBreak = (own: number, other: number, target: number): boolean => own >= target && own - other >= 2

/** True if the points win an ordinary game. */
export const winsGame = (own: number, other: number, noAd: boolean): boolean => own >= 4 && own - other >= (noAd ? 1 : 2)

/** True if the games win a set without a tie-break. */
export const winsSet = (own: number, other: number): boolean => own >= GAMES_PER_SET && own - other >= 2

export const setsToWin = ({ bestOf }: MatchFormat): number => (bestOf + 1) / 2

/** The first server serves one point; after that the sides serve two points each. `point` counts from 0. */
export const tieBreakServer = (first: SideIndex, point: number): SideIndex => (Math.ceil(point / 2) % 2 === 0 ? first : otherSide(first))
