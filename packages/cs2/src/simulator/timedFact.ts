import { feedEventOf, type HappeningOf, type TimedFactOf } from "@matchpoint/simulator/timedFact"
import type { FeedEvent } from "../rules/live/feedEvents.ts"

export type Happening = HappeningOf<FeedEvent>
export type TimedFact = TimedFactOf<FeedEvent>

export const toFeedEvent = feedEventOf<FeedEvent>
