import { matchRules } from "@matchpoint/game/rules/matchRules"
import { COD } from "../game.ts"
import type { ReportedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type MatchState, STATE_FORMAT } from "./state.ts"

/** A suspended match is cancelled after this many times the limit. Technical problems can stop a match for hours. */
const SUSPENDED_FACTOR = 4

export const codRules = matchRules<MatchState, ReportedEvent>({
  game: COD,
  stateFormat: STATE_FORMAT,
  fold,
  suspendedFactor: SUSPENDED_FACTOR,
})
