/** Watches the feeds of a Call of Duty match. Both feeds report the same facts. */
import { FeedWatchdog } from "../../game/FeedWatchdog.ts"
import type { SilenceLimits } from "../../game/GameRules.ts"
import { type FeedEvent, internalTypes, type ReportedEvent } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

/** Factor of the time after which a suspended match is cancelled. Technical problems can stop a match for hours. */
const SUSPENDED_FACTOR = 4

export const watchFeeds = (state: MatchState | undefined, limits: SilenceLimits): FeedWatchdog<MatchState, FeedEvent, ReportedEvent> =>
  new FeedWatchdog(state, { limits, isReport, suspendedFactor: SUSPENDED_FACTOR })

const isReport = (event: FeedEvent): event is ReportedEvent => event.type === "MatchCreated" || !internalTypes.has(event.type)
