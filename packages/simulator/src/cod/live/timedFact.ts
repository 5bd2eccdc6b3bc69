/** The facts of a simulated match. */
import type { ReportedEvent } from "@matchpoint/domain/cod/live/feedEvents"
import { feedEventOf, type HappeningOf, type TimedFactOf } from "../../timedFact.ts"

export type Happening = HappeningOf<ReportedEvent>
export type TimedFact = TimedFactOf<ReportedEvent>

export const toFeedEvent = feedEventOf<ReportedEvent>
