/** Implements the `GameRules` interface for tennis, through which game-independent code runs tennis matches. */
import { matchRules } from "@matchpoint/game/rules/matchRules"
import { TENNIS } from "../game.ts"
import type { ReportedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type MatchState, STATE_FORMAT } from "./state.ts"

/** Factor of the time after which a suspended match is cancelled. Rain can stop a match for a day. */
const SUSPENDED_FACTOR = 12

export const tennisRules = matchRules<MatchState, ReportedEvent>({
  game: TENNIS,
  stateFormat: STATE_FORMAT,
  fold,
  suspendedFactor: SUSPENDED_FACTOR,
})
