/**
 * A view is the state that the intake keeps for one feed of a match: the match state as this feed reports it, and the
 * memory of each adapter. The view of the main feed contains the real match state. The view of a backup feed contains a
 * separate one, as if the backup were the only feed, so that its adapters can follow maps and rounds that do not count
 * for the real match. When the backup feed starts, this state begins at the current map of the match.
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
  /** When this feed last added a fact, by this server's clock, or `null`. */
  readonly lastFactAt: number | null
}

/** View of the main feed. */
export const viewOf = (state: MatchState): FeedView => ({
  state,
  log: serverLog.initial(state),
  gameState: gameState.initial(state),
  lastFactAt: null,
})

/**
 * A backup feed that has added no facts for this time, in milliseconds, while the match moved on to a later map, has
 * missed the end of the earlier map.
 */
const STALE_AFTER_MS = 60_000

/** Creates the view if the feed is new, and again if it was silent while the match moved on to a later map. */
export const backupViewOf = (
  { backup, main }: { readonly main: FeedView; readonly backup: FeedView | undefined },
  now: number,
): FeedView => {
  if (backup === undefined) return viewOf(openedFor(main.state))
  const isStale = backup.lastFactAt === null || now - backup.lastFactAt >= STALE_AFTER_MS
  const isBehind = backup.state.maps.length < knownSeries(main.state).maps.length
  return isStale && isBehind ? { ...backup, state: openedFor(main.state) } : backup
}

/** Applies the event as if the backup feed were the only feed of the match. */
export const folded = (view: FeedView, event: FeedEvent): FeedView => ({
  ...view,
  state: fold(view.state, { ...event, source: "main" }).state ?? view.state,
})

/** Updates the memory of the feed's adapters with an event of this feed. */
export const recalled = (view: FeedView, event: FeedEvent): FeedView => ({
  state: view.state,
  log: serverLog.recall(view.log, event),
  gameState: gameState.recall(view.gameState, event),
  lastFactAt: event.receivedAt,
})

/**
 * Match state for a feed that joins during the match. Maps and players are kept. The score of the current map is reset,
 * because the feed reports it and may be some seconds behind. Known event ids are cleared, because the feed may use the
 * same ids as the main feed.
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
