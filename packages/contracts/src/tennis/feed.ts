/** Encodes and decodes the records of tennis matches in the FEED stream (incoming events). */
import { FeedEvent } from "@matchpoint/domain/tennis/live/feedEvents"
import { feedRecords } from "../game/feedRecords.ts"

export const { decodeFeedEvent, encodeFeedEvent, readEvent } = feedRecords(FeedEvent)
