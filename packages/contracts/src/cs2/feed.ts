/** Records of FEED of CS2 matches as bytes. */
import { FeedEvent } from "@matchpoint/domain/cs2/live/feedEvents"
import { Schema } from "effect"
import { encodeEvent } from "../bus/feed.ts"

const text = new TextDecoder()

const decodeEvent = Schema.decodeUnknownResult(Schema.fromJsonString(FeedEvent))

export const encodeFeedEvent = (event: FeedEvent): Uint8Array => encodeEvent(event)

/** Fails with the schema's account of what is wrong, path by path. */
export const decodeFeedEvent = (data: Uint8Array) => decodeEvent(text.decode(data))
