/** Encodes and decodes the records of Apex lobbies in the FEED stream (incoming events). */
import { FeedEvent } from "@matchpoint/domain/apex/live/feedEvents"
import { feedRecords } from "../game/feedRecords.ts"

export const { decodeFeedEvent, encodeFeedEvent, readEvent } = feedRecords(FeedEvent)
