/** Implements the `GameRules` interface for tennis, through which game-independent code runs tennis matches. */
import type { GameRules } from "../../game/GameRules.ts"
import { factId } from "../../ids.ts"
import { TENNIS } from "../game.ts"
import type { FeedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type MatchState, STATE_FORMAT } from "./state.ts"
import { FeedWatchdog } from "./watchFeeds.ts"

export const tennisRules: GameRules<MatchState, FeedEvent> = {
  game: TENNIS,
  stateFormat: STATE_FORMAT,
  // A decision of the watchdog is outdated if a report arrived at the same time.
  expectedRejections: new Set(["backup_standby", "outdated"]),
  fold,
  historyLost: (matchId, epoch, now) => ({
    id: factId(`history-lost:${epoch}`),
    matchId,
    source: "main",
    observedAt: now,
    receivedAt: now,
    type: "HistoryLost",
    payload: { epoch },
  }),
  watchdog: (state, limits) => new FeedWatchdog(state, limits),
}
