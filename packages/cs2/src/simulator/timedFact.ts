/** The facts of a simulated match. */
import type { FeedEvent } from "../rules/live/feedEvents.ts"
import { feedEventOf, type HappeningOf, type TimedFactOf } from "@matchpoint/simulator/timedFact"

export type Happening = HappeningOf<FeedEvent>
export type TimedFact = TimedFactOf<FeedEvent>

export const toFeedEvent = feedEventOf<FeedEvent>
