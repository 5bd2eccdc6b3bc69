/** Implements the `GameRules` interface for Apex, through which game-independent code runs lobbies. */
import type { GameRules } from "../../game/GameRules.ts"
import { factId } from "../../ids.ts"
import { APEX } from "../game.ts"
import type { FeedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type LobbyState, STATE_FORMAT } from "./state.ts"
import { watchdogOf } from "./watchFeeds.ts"

export const apexRules: GameRules<LobbyState, FeedEvent> = {
  game: APEX,
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
  watchdog: watchdogOf,
}
