/** CS2 behind `GameRules`, through which game-independent code runs matches. */
import type { GameRules } from "@matchpoint/domain/game/GameRules"
import { gameName } from "@matchpoint/domain/ids"
import { historyLost } from "@matchpoint/game/rules/historyLost"
import { neverBegan } from "@matchpoint/game/rules/neverBegan"
import type { FeedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { migrateState } from "./migrateState.ts"
import { type MatchState, STATE_FORMAT } from "./state.ts"
import { FeedWatchdog } from "./watchFeeds.ts"

export const CS2 = gameName("cs2")

export const cs2Rules: GameRules<MatchState, FeedEvent> = {
  game: CS2,
  stateFormat: STATE_FORMAT,
  migrate: migrateState,
  expectedRejections: new Set(["backup_standby"]),
  fold,
  historyLost,
  neverBegan: (matchId, now) => ({
    ...neverBegan(matchId, now),
    type: "MatchEnded",
    payload: { winnerTeamId: null, reason: "cancelled" },
  }),
  watchdog: (state, limits, now) => new FeedWatchdog(state, limits, now),
  isOpen: ({ unresolvedNames }) => unresolvedNames.length > 0,
}
