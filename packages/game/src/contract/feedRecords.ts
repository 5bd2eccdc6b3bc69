/** Records of a game's matches in FEED. */
import { encodeEvent } from "@matchpoint/contracts/bus/feed"
import { strictBody } from "@matchpoint/contracts/http/strictBody"
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { Schema } from "effect"

const text = new TextDecoder()

/**
 * A failure of `decodeFeedEvent` lists every invalid path. It ignores unknown fields, because a newer version may have
 * written the record. `readEvent` decodes events of senders and fails for an unknown field, because every accepted
 * field must be used.
 */
export const feedRecords = <Event extends GameEvent, Encoded>(event: Schema.Codec<Event, Encoded>) => {
  const decodeEvent = Schema.decodeUnknownResult(Schema.fromJsonString(event))
  return {
    encodeFeedEvent: (event: Event): Uint8Array => encodeEvent(event),
    decodeFeedEvent: (data: Uint8Array) => decodeEvent(text.decode(data)),
    readEvent: Schema.decodeUnknownResult(event, strictBody),
  }
}
