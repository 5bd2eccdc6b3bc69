import { matchRules } from "@matchpoint/game/rules/matchRules"
import { TENNIS } from "../game.ts"
import type { ReportedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type MatchState, STATE_FORMAT } from "./state.ts"

/** A suspended match is cancelled after this many times the limit. Rain can stop a match for a day. */
const SUSPENDED_FACTOR = 12

export const tennisRules = matchRules<MatchState, ReportedEvent>({
  game: TENNIS,
  stateFormat: STATE_FORMAT,
  fold,
  suspendedFactor: SUSPENDED_FACTOR,
})
