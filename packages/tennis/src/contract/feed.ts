/** Encodes and decodes the records of tennis matches in the FEED stream (incoming events). */
import { FeedEvent } from "../rules/live/feedEvents.ts"
import { feedRecords } from "@matchpoint/game/contract/feedRecords"

export const { decodeFeedEvent, encodeFeedEvent, readEvent } = feedRecords(FeedEvent)
