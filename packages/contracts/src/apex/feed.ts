/** Encodes and decodes the records of Apex lobbies in the FEED stream (incoming events). */
import { FeedEvent } from "@matchpoint/domain/apex/live/feedEvents"
import { Schema } from "effect"
import { encodeEvent } from "../bus/feed.ts"

const text = new TextDecoder()

const decodeEvent = Schema.decodeUnknownResult(Schema.fromJsonString(FeedEvent))

export const encodeFeedEvent = (event: FeedEvent): Uint8Array => encodeEvent(event)

/** Decodes a record. On failure, the schema error lists every invalid path. */
export const decodeFeedEvent = (data: Uint8Array) => decodeEvent(text.decode(data))
