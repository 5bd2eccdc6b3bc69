/** Frames of the live channels of CS2, as customers get them. How frames are written is in wire.ts. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { CompactEvent, CompactMatch } from "../cs2/CompactMatch.ts"
import { LiveEvent } from "../cs2/LiveEvent.ts"
import { LiveMatch, Timestamp } from "../cs2/LiveMatch.ts"
import { encodeFull } from "./wire.ts"

export const UPDATE = "cs2.live.update"
export const SNAPSHOT = "cs2.live.snapshot"
export const DELTA = "cs2.live.delta"

/** `v1` carries the whole match in every frame, `v2` what changed. */
export const Shape = Schema.Literals(["v1", "v2"])
export type Shape = typeof Shape.Type

const stamp = {
  /** When the log took it, by the log's clock: the same on every edge. */
  publishedAt: Timestamp,
  /** Its place in the log of all matches: ascending, with holes. Of use only to resume the room `all`. */
  position: Schema.Natural,
} as const

const head = {
  matchId: MatchId,
  /** `(epoch, seq)` is the cursor: seq counts 1, 2, 3, ... without holes; epoch changes only if history was lost. */
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /** When it happened, by the feed's clock. */
  observedAt: Timestamp,
  /** When we received it. */
  receivedAt: Timestamp,
} as const

/** What happened, where the change has a name. */
const event = Schema.NullOr(LiveEvent)

export const LiveUpdate = Schema.Struct({ type: Schema.Literal(UPDATE), ...stamp, ...head, event, data: LiveMatch })
export type LiveUpdate = typeof LiveUpdate.Type

/** The newest frame of a match, sent on subscribe. */
export const LiveSnapshot = Schema.Struct({ type: Schema.Literal(SNAPSHOT), ...stamp, ...head, event, data: LiveMatch })
export type LiveSnapshot = typeof LiveSnapshot.Type

/** The match as it is, shape v2: where deltas begin. */
export const CompactSnapshot = Schema.Struct({
  type: Schema.Literal(SNAPSHOT),
  shape: Schema.Literal("v2"),
  ...stamp,
  ...head,
  hash: Schema.String,
  data: CompactMatch,
})
export type CompactSnapshot = typeof CompactSnapshot.Type

/** What changed between the frames `base` and `seq` of one epoch: `base` is `seq - 1` unless frames were conflated. */
export const LiveDelta = Schema.Struct({
  type: Schema.Literal(DELTA),
  ...stamp,
  ...head,
  base: Schema.Natural,
  /** The named changes since `base`, oldest first. */
  events: Schema.Array(CompactEvent),
  /** JSON merge patch (RFC 7396) of the document. */
  patch: Schema.Record(Schema.String, Schema.Unknown),
  /** `stateHash` of the document after the patch; not in every frame. */
  hash: Schema.optionalKey(Schema.String),
})
export type LiveDelta = typeof LiveDelta.Type

const text = new TextDecoder()

/** An update as it goes to the sockets, from its parts: for tests and servers that have no log between. */
export const encodeUpdate = ({ type, event, data, ...frame }: LiveUpdate): Uint8Array =>
  encodeFull(type, frame, event, JSON.stringify(data))

const decodeUpdateText = Schema.decodeUnknownResult(Schema.fromJsonString(LiveUpdate))
const decodeDeltaText = Schema.decodeUnknownResult(Schema.fromJsonString(LiveDelta))

export const decodeUpdate = (update: Uint8Array) => decodeUpdateText(text.decode(update))
export const decodeDelta = (delta: Uint8Array) => decodeDeltaText(text.decode(delta))
