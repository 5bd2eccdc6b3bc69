/** Encodes and decodes the records of a game's matches in the FEED stream (incoming events). */
import { encodeEvent } from "@matchpoint/contracts/bus/feed"
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { Schema } from "effect"

const text = new TextDecoder()

/**
 * `event` is the schema of every event of a match. A failure of `decodeFeedEvent` lists every invalid path. It ignores
 * unknown fields, because a newer version may have written the record. `readEvent` decodes events of senders: it fails for
 * an unknown field, because every accepted field must be used.
 */
export const feedRecords = <Event extends GameEvent, Encoded>(event: Schema.Codec<Event, Encoded>) => {
  const decodeEvent = Schema.decodeUnknownResult(Schema.fromJsonString(event))
  return {
    encodeFeedEvent: (event: Event): Uint8Array => encodeEvent(event),
    decodeFeedEvent: (data: Uint8Array) => decodeEvent(text.decode(data)),
    readEvent: Schema.decodeUnknownResult(event, strictBody),
  }
}
