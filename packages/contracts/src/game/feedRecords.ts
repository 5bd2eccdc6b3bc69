/** Encodes and decodes the records of a game's matches in the FEED stream (incoming events). */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { Schema } from "effect"
import { encodeEvent } from "../bus/feed.ts"

const text = new TextDecoder()

/** `event` is the schema of every event of a match. A failure of `decodeFeedEvent` lists every invalid path. */
export const feedRecords = <Event extends GameEvent, Encoded>(event: Schema.Codec<Event, Encoded>) => {
  const decodeEvent = Schema.decodeUnknownResult(Schema.fromJsonString(event))
  return {
    encodeFeedEvent: (event: Event): Uint8Array => encodeEvent(event),
    decodeFeedEvent: (data: Uint8Array) => decodeEvent(text.decode(data)),
  }
}
