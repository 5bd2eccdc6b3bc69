/** Frames of CS2: the messages about live matches as customers receive them. */
import { framesOf } from "@matchpoint/contracts/stream/frames"
import { encodeFull } from "@matchpoint/contracts/stream/wire"
import { Schema } from "effect"
import { CompactEvent, CompactMatch } from "./CompactMatch.ts"
import { LiveEvent } from "./LiveEvent.ts"
import { LiveMatch } from "./LiveMatch.ts"

export const UPDATE = "cs2.live.update"
export const SNAPSHOT = "cs2.live.snapshot"
export const DELTA = "cs2.live.delta"

/** Schemas from which the messages about CS2 matches are composed: message types, match documents and events. */
export const frameParts = {
  update: Schema.Literal(UPDATE),
  snapshot: Schema.Literal(SNAPSHOT),
  delta: Schema.Literal(DELTA),
  full: LiveMatch,
  event: LiveEvent,
  compact: CompactMatch,
  compactEvent: CompactEvent,
} as const

export const { CompactSnapshot, LiveDelta, LiveSnapshot, LiveUpdate } = framesOf(frameParts)
export type LiveUpdate = typeof LiveUpdate.Type
export type LiveSnapshot = typeof LiveSnapshot.Type
export type CompactSnapshot = typeof CompactSnapshot.Type
export type LiveDelta = typeof LiveDelta.Type

const text = new TextDecoder()

/** Exactly as sent over WebSockets. For tests, and for servers that create messages instead of reading the log. */
export const encodeUpdate = ({ type, event, data, ...frame }: LiveUpdate): Uint8Array =>
  encodeFull(type, frame, event, JSON.stringify(data))

const decodeUpdateText = Schema.decodeUnknownResult(Schema.fromJsonString(LiveUpdate))
const decodeDeltaText = Schema.decodeUnknownResult(Schema.fromJsonString(LiveDelta))

export const decodeUpdate = (update: Uint8Array) => decodeUpdateText(text.decode(update))
export const decodeDelta = (delta: Uint8Array) => decodeDeltaText(text.decode(delta))
