/** Records of FEED of CS2 matches as bytes. */
import { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import { Schema } from "effect"

const utf8 = new TextEncoder()
const text = new TextDecoder()

const decodeEvent = Schema.decodeUnknownResult(Schema.fromJsonString(FeedEvent))

/** A feed event is written as JSON. Its type is its own encoding: nothing is transformed. */
export const encodeFeedEvent = (event: FeedEvent): Uint8Array => utf8.encode(JSON.stringify(event))

/** Fails with the schema's account of what is wrong, path by path. */
export const decodeFeedEvent = (data: Uint8Array) => decodeEvent(text.decode(data))
