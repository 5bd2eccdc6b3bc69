/** Watches the feeds of a tennis match. Both feeds report the same facts. */
import { FeedWatchdog as GameFeedWatchdog } from "../../game/FeedWatchdog.ts"
import type { SilenceLimits } from "../../game/GameRules.ts"
import { type FeedEvent, internalTypes, type ReportedEvent } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

/** Factor of the time after which a suspended match is cancelled. Rain can stop a match for a day. */
const SUSPENDED_FACTOR = 12

export class FeedWatchdog extends GameFeedWatchdog<MatchState, FeedEvent, ReportedEvent> {
  constructor(state: MatchState | undefined, limits: SilenceLimits) {
    super(state, { limits, isReport, suspendedFactor: SUSPENDED_FACTOR })
  }
}

const isReport = (event: FeedEvent): event is ReportedEvent => event.type === "MatchCreated" || !internalTypes.has(event.type)
