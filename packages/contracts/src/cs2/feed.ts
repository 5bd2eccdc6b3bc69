/** Encodes and decodes the records of CS2 matches in the FEED stream (incoming events). */
import { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { feedRecords } from "../game/feedRecords.ts"

export const { decodeFeedEvent, encodeFeedEvent, readEvent } = feedRecords(FeedEvent)
