/** Encodes and decodes CS2 records of FEED. */
import { feedRecords } from "@matchpoint/game/contract/feedRecords"
import { FeedEvent } from "../rules/live/feedEvents.ts"

export const { decodeFeedEvent, encodeFeedEvent, readEvent } = feedRecords(FeedEvent)
