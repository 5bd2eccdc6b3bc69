import { matchRules } from "@matchpoint/game/rules/matchRules"
import { APEX } from "../game.ts"
import type { ReportedEvent } from "./feedEvents.ts"
import { fold } from "./fold.ts"
import { type LobbyState, STATE_FORMAT } from "./state.ts"

/** A suspended lobby is cancelled after this many times the limit. Technical faults can stop a lobby until the next day. */
const SUSPENDED_FACTOR = 4

export const apexRules = matchRules<LobbyState, ReportedEvent>({
  game: APEX,
  stateFormat: STATE_FORMAT,
  fold,
  suspendedFactor: SUSPENDED_FACTOR,
})
