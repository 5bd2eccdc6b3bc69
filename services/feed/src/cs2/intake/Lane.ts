/**
 * One feed of a match as the intake follows it: the match this feed tells of and what each adapter remembers of it. The main feed's
 * lane is the match itself. A backup's lane is a match of its own, as if it were the only feed, so that its adapters can follow maps
 * and rounds that count for nobody; it begins where the match is when the backup begins.
 */
import { knownSeries } from "@matchpoint/domain/cs2/live/backupSeries"
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { fold } from "@matchpoint/domain/cs2/live/fold"
import { emptyTally, type GameMap, type MatchState } from "@matchpoint/domain/cs2/live/state"
import type { GameMemory } from "../adapters/gameState/GamePost.ts"
import { gameState } from "../adapters/gameState/GameStateAdapter.ts"
import type { LogMemory } from "../adapters/serverLog/LogMemory.ts"
import { serverLog } from "../adapters/serverLog/ServerLogAdapter.ts"

export interface Lane {
  readonly state: MatchState
  readonly log: LogMemory
  readonly gameState: GameMemory
  /** When this feed last told a fact, by our clock; null: not yet. */
  readonly heardAt: number | null
}

/** The main feed's lane at a moment of the match. */
export const laneOf = (state: MatchState): Lane => ({
  state,
  log: serverLog.initial(state),
  gameState: gameState.initial(state),
  heardAt: null,
})

/** A backup that is silent for as long may have missed the end of a map. */
const STALE_AFTER_MS = 60_000

/** The backup's lane for what it says now: begun here if it is new, begun again if the match has left it behind on an earlier map. */
export const backupLaneOf = ({ backup, main }: { readonly main: Lane; readonly backup: Lane | undefined }, now: number): Lane => {
  if (backup === undefined) return laneOf(openedFor(main.state))
  const isStale = backup.heardAt === null || now - backup.heardAt >= STALE_AFTER_MS
  const isBehind = backup.state.maps.length < knownSeries(main.state).maps.length
  return isStale && isBehind ? { ...backup, state: openedFor(main.state) } : backup
}

/** Folds a backup's fact as if no other feed told the match. */
export const folded = (lane: Lane, event: FeedEvent): Lane => ({
  ...lane,
  state: fold(lane.state, { ...event, source: "main" }).state ?? lane.state,
})

/** What the adapters remember of a fact of this feed. */
export const recalled = (lane: Lane, event: FeedEvent): Lane => ({
  state: lane.state,
  log: serverLog.recall(lane.log, event),
  gameState: gameState.recall(lane.gameState, event),
  heardAt: event.receivedAt,
})

/**
 * The match for a feed that comes to it now: its maps and players. How far the map in play is, the feed says itself, which may be
 * some seconds behind; and its facts may have the ids that the main feed's had.
 */
const openedFor = (state: MatchState): MatchState => ({
  ...state,
  source: "live",
  backup: null,
  maps: knownSeries(state).maps.map(
    (map): GameMap => ({
      ...map,
      score: map.status === "live" ? [0, 0] : map.score,
      pickTeamId: null,
      halves: [],
      roundsPlayed: map.status === "live" ? 0 : map.score[0] + map.score[1],
      endReason: null,
      rounds: [],
      lines: [],
    }),
  ),
  players: state.players.map((player) => ({ ...player, tally: emptyTally })),
  round: null,
  timeout: null,
  seen: { match: [], round: [] },
})
