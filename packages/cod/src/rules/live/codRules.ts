/** Implements the `GameRules` interface for Call of Duty, through which game-independent code runs its matches. */
import { matchRules } from "@matchpoint/game/rules/matchRules"
import { COD } from "../game.ts"
import type { ReportedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type MatchState, STATE_FORMAT } from "./state.ts"

/** Factor of the time after which a suspended match is cancelled. Technical problems can stop a match for hours. */
const SUSPENDED_FACTOR = 4

export const codRules = matchRules<MatchState, ReportedEvent>({
  game: COD,
  stateFormat: STATE_FORMAT,
  fold,
  suspendedFactor: SUSPENDED_FACTOR,
})
