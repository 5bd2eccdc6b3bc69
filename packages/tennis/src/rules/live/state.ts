/**
 * The state of one match, the fold of its facts. It is plain JSON without undefined values, so that a rebuilt state
 * serializes to the same JSON text. See invariants.ts for what always holds.
 */
import type { SharedState } from "@matchpoint/game/rules/MatchState"
import type { Marked } from "@matchpoint/game/rules/rejections"
import type { PointKind, SideSheet, TournamentSheet } from "./feedEvents.ts"
import { type MatchFormat, otherSide, type Pair, type SideIndex, tieBreakServer, winsGame } from "./format.ts"
import type { Momentum } from "./momentum.ts"
import type { Tour } from "./registry.ts"

/** Increase it when the format of the state changes. */
export const STATE_FORMAT = 1

export interface SetScore {
  /** A match tie-break has no games; its winner has 1. */
  readonly games: Pair
  /** Points of the tie-break once it is over; null if none was played. */
  readonly tieBreak: Pair | null
  readonly winner: SideIndex | null
  /** Null if the set is in progress, or if a correction added it. */
  readonly endedAt: number | null
}

export interface Game {
  readonly points: Pair
  /** Points that win the tie-break; null in an ordinary game. */
  readonly tieBreakTo: 7 | 10 | null
  /** The server of the game; in a tie-break, the server of its first point. */
  readonly firstServer: SideIndex
}

/** Counters of one side, over the points that were reported. */
export interface Tally {
  readonly pointsWon: number
  readonly aces: number
  readonly doubleFaults: number
  /** Points that the side has served, also in tie-breaks. */
  readonly servePoints: number
  readonly servePointsWon: number
  /** Games that the side has served, without tie-breaks. */
  readonly serviceGames: number
  readonly serviceGamesWon: number
  readonly breakPointsFaced: number
  readonly breakPointsSaved: number
}

export const emptyTally: Tally = {
  pointsWon: 0,
  aces: 0,
  doubleFaults: 0,
  servePoints: 0,
  servePointsWon: 0,
  serviceGames: 0,
  serviceGamesWon: 0,
  breakPointsFaced: 0,
  breakPointsSaved: 0,
}

export interface LastPoint extends Position {
  readonly server: SideIndex
  readonly winner: SideIndex
  readonly kind: PointKind
  /** The most that the winner has won with the point. */
  readonly won: "point" | "game" | "set" | "match"
}

/** Ids of accepted events that a state keeps. */
export const MAX_SEEN = 200

export interface MatchState extends SharedState {
  readonly format: typeof STATE_FORMAT
  readonly tour: Tour
  readonly tournament: TournamentSheet
  readonly rules: MatchFormat
  readonly sides: readonly [SideSheet, SideSheet]
  /** Sets in order. While the match is live, the last one is in progress. Empty before the start. */
  readonly sets: ReadonlyArray<SetScore>
  readonly setsWon: Pair
  /** Null before the start and after the end. */
  readonly game: Game | null
  /** Player of each pair that serves first in the current set. Always [0, 0] in singles. */
  readonly firstServers: readonly [SideIndex, SideIndex]
  /** Side that served the first game of the current set; null before the start. */
  readonly setServer: SideIndex | null
  readonly tallies: readonly [Tally, Tally]
  /** False if the counters lack points, because the score was corrected or history was lost. */
  readonly countsEveryPoint: boolean
  readonly momentum: Momentum
  /** Null before the first point and after a correction. */
  readonly lastPoint: LastPoint | null
  readonly winner: SideIndex | null
  readonly endReason: "completed" | "retired" | "walkover" | "cancelled" | null
  /** The newest correction of the score, and the newest suspension or resumption. */
  readonly correction: Marked | null
  readonly interruption: Marked | null
}

/** Where a point belongs. All three numbers count from 1. */
export interface Position {
  readonly set: number
  readonly game: number
  readonly point: number
}

/** Undefined if no game is in progress. */
export const nextPosition = ({ game, sets }: MatchState): Position | undefined => {
  const set = sets[sets.length - 1]
  if (game === null || set === undefined) return undefined
  return { set: sets.length, game: set.games[0] + set.games[1] + 1, point: game.points[0] + game.points[1] + 1 }
}

/** Side that serves the next point; undefined if no game is in progress. */
export const serverOf = ({ game }: MatchState): SideIndex | undefined => {
  if (game === null) return undefined
  return game.tieBreakTo === null ? game.firstServer : tieBreakServer(game.firstServer, game.points[0] + game.points[1])
}

/** Index into the serving side. In doubles, players of a pair serve its games in turn; a tie-break continues this. */
export const servingPlayer = (state: MatchState): SideIndex | undefined => {
  const side = serverOf(state)
  const set = state.sets[state.sets.length - 1]
  const { game } = state
  if (side === undefined || game === null || set === undefined) return undefined
  if (!state.rules.doubles) return 0
  // Turns of service before this one in the set. Turns alternate between the sides, in games and in tie-breaks.
  const turns = set.games[0] + set.games[1] + (game.tieBreakTo === null ? 0 : Math.ceil((game.points[0] + game.points[1]) / 2))
  const first = state.firstServers[side]
  return Math.floor(turns / 2) % 2 === 0 ? first : otherSide(first)
}

/** The returner wins the game by winning the next point. Tie-breaks have no break points. */
export const isBreakPoint = ({ game, rules }: MatchState): boolean => {
  if (game === null || game.tieBreakTo !== null) return false
  const returner = otherSide(game.firstServer)
  return winsGame(game.points[returner] + 1, game.points[game.firstServer], rules.noAd)
}
