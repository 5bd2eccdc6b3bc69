/** Watches the feeds of a lobby. Both feeds report the same facts. */
import { FeedWatchdog } from "../../game/FeedWatchdog.ts"
import type { SilenceLimits } from "../../game/GameRules.ts"
import { type FeedEvent, internalTypes, type ReportedEvent } from "./feedEvents.ts"
import type { LobbyState } from "./state.ts"

/** Factor of the time after which a suspended lobby is cancelled. Technical faults can stop a lobby until the next day. */
const SUSPENDED_FACTOR = 4

export const watchdogOf = (state: LobbyState | undefined, limits: SilenceLimits) =>
  new FeedWatchdog<LobbyState, FeedEvent, ReportedEvent>(state, { limits, isReport, suspendedFactor: SUSPENDED_FACTOR })

const isReport = (event: FeedEvent): event is ReportedEvent => event.type === "MatchCreated" || !internalTypes.has(event.type)
