import { feedEventOf, type HappeningOf, type TimedFactOf } from "@matchpoint/simulator/timedFact"
import type { ReportedEvent } from "../../rules/live/feedEvents.ts"

export type Happening = HappeningOf<ReportedEvent>
export type TimedFact = TimedFactOf<ReportedEvent>

export const toFeedEvent = feedEventOf<ReportedEvent>
