/**
 * A view is the state that the intake keeps for one feed of a match: the match state as this feed reports it, and what
 * each adapter remembers between requests. The view of the main feed contains the real match state. The view of a
 * backup feed contains a separate match state, as if the backup were the only feed. Its adapters can therefore follow
 * maps and rounds of the backup feed that do not count for the real match. When the backup feed starts, this separate
 * state begins at the current map of the match.
 */
import { knownSeries } from "../../rules/live/backupSeries.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import { emptyTally, type GameMap, type MatchState } from "../../rules/live/state.ts"
import type { GameMemory } from "../adapters/gameState/GamePost.ts"
import { gameState } from "../adapters/gameState/GameStateAdapter.ts"
import type { LogMemory } from "../adapters/serverLog/LogMemory.ts"
import { serverLog } from "../adapters/serverLog/ServerLogAdapter.ts"

export interface FeedView {
  readonly state: MatchState
  readonly log: LogMemory
  readonly gameState: GameMemory
  /** Time at which this feed last added an event, by this server's clock, or `null` if it has added none. */
  readonly lastFactAt: number | null
}

/** Creates the view (state kept for one feed) of the main feed from a match state. */
export const viewOf = (state: MatchState): FeedView => ({
  state,
  log: serverLog.initial(state),
  gameState: gameState.initial(state),
  lastFactAt: null,
})

/**
 * If a backup feed has added no events for this time, in milliseconds, and the match has moved on to a later map, the
 * backup feed is assumed to have missed the end of the earlier map.
 */
const STALE_AFTER_MS = 60_000

/**
 * Returns the state kept for the backup feed. Creates it if the backup feed is new. Creates it again from the current
 * match state if the backup feed was silent while the match moved on to a later map.
 */
export const backupViewOf = (
  { backup, main }: { readonly main: FeedView; readonly backup: FeedView | undefined },
  now: number,
): FeedView => {
  if (backup === undefined) return viewOf(openedFor(main.state))
  const isStale = backup.lastFactAt === null || now - backup.lastFactAt >= STALE_AFTER_MS
  const isBehind = backup.state.maps.length < knownSeries(main.state).maps.length
  return isStale && isBehind ? { ...backup, state: openedFor(main.state) } : backup
}

/**
 * Applies an event of a backup feed to the match state kept for that feed, as if it were the only feed of the match.
 */
export const folded = (view: FeedView, event: FeedEvent): FeedView => ({
  ...view,
  state: fold(view.state, { ...event, source: "main" }).state ?? view.state,
})

/**
 * Updates what the feed's adapters remember with an event of this feed, and returns the updated view (state kept for
 * one feed).
 */
export const recalled = (view: FeedView, event: FeedEvent): FeedView => ({
  state: view.state,
  log: serverLog.recall(view.log, event),
  gameState: gameState.recall(view.gameState, event),
  lastFactAt: event.receivedAt,
})

/**
 * Returns the initial match state for a feed that joins during the match. Maps and players are kept. The score of the
 * current map is reset, because the feed reports the score itself and may be some seconds behind. Known event ids are
 * cleared, because the feed may use the same ids as the main feed.
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
