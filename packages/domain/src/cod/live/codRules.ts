/** Implements the `GameRules` interface for Call of Duty, through which game-independent code runs its matches. */
import type { GameRules } from "../../game/GameRules.ts"
import { factId } from "../../ids.ts"
import { COD } from "../game.ts"
import type { FeedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type MatchState, STATE_FORMAT } from "./state.ts"
import { watchFeeds } from "./watchFeeds.ts"

export const codRules: GameRules<MatchState, FeedEvent> = {
  game: COD,
  stateFormat: STATE_FORMAT,
  // A decision of the watchdog is outdated if a report arrived at the same time.
  expectedRejections: new Set(["backup_standby", "outdated"]),
  fold,
  historyLost: (matchId, epoch, now) => {
    const times = { observedAt: now, receivedAt: now }
    return { id: factId(`history-lost:${epoch}`), matchId, source: "main", ...times, type: "HistoryLost", payload: { epoch } }
  },
  watchdog: watchFeeds,
}
