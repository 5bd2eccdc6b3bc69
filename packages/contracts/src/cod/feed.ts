/** Encodes and decodes the records of Call of Duty matches in the FEED stream (incoming events). */
import { FeedEvent } from "@matchpoint/domain/cod/live/feedEvents"
import { feedRecords } from "../game/feedRecords.ts"

export const { decodeFeedEvent, encodeFeedEvent, readEvent } = feedRecords(FeedEvent)
