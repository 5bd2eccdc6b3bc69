/** The facts of a simulated match. */
import type { ReportedEvent } from "../../rules/live/feedEvents.ts"
import { feedEventOf, type HappeningOf, type TimedFactOf } from "@matchpoint/simulator/timedFact"

export type Happening = HappeningOf<ReportedEvent>
export type TimedFact = TimedFactOf<ReportedEvent>

export const toFeedEvent = feedEventOf<ReportedEvent>
