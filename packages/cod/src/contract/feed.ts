/** Encodes and decodes the records of Call of Duty matches in the FEED stream (incoming events). */
import { feedRecords } from "@matchpoint/game/contract/feedRecords"
import { FeedEvent } from "../rules/live/feedEvents.ts"

export const { decodeFeedEvent, encodeFeedEvent, readEvent } = feedRecords(FeedEvent)
