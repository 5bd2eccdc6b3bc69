/** The facts of a simulated match. */
import type { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { feedEventOf, type HappeningOf, type TimedFactOf } from "../timedFact.ts"

export type Happening = HappeningOf<FeedEvent>
export type TimedFact = TimedFactOf<FeedEvent>

export const toFeedEvent = feedEventOf<FeedEvent>
