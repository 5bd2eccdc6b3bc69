/** Frames of the live channels for any game, as customers receive them. `wire.ts` encodes them. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Timestamp } from "../timestamp.ts"

/** `v1` contains the whole match in every frame, `v2` only the changes. */
export const Shape = Schema.Literals(["v1", "v2"])
export type Shape = typeof Shape.Type

const stamp = {
  /** Time when the log stored the frame, by the clock of the log. It is the same on every edge. */
  publishedAt: Timestamp,
  /** Position of the frame in the log of all matches: ascending, with gaps. Only needed to resume the room `all`. */
  position: Schema.Natural,
} as const

const head = {
  matchId: MatchId,
  /** `(epoch, seq)` is the cursor. `seq` counts 1, 2, 3, ... without gaps. `epoch` changes only if history was lost. */
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /** Time of the change, by the clock of the feed. */
  observedAt: Timestamp,
  /** Time when the service received the change. */
  receivedAt: Timestamp,
} as const

/** Schemas of the frames of a game: message types, the document in both shapes, and the events. */
export interface FrameParts {
  readonly update: Schema.Top
  readonly snapshot: Schema.Top
  readonly delta: Schema.Top
  readonly full: Schema.Top
  readonly event: Schema.Top
  readonly compact: Schema.Top
  readonly compactEvent: Schema.Top
}

/** Returns the schemas of the frames of a game. */
export const framesOf = <const Parts extends FrameParts>(parts: Parts) => {
  // Read one by one: destructuring would lose their types.
  const update: Parts["update"] = parts.update
  const snapshot: Parts["snapshot"] = parts.snapshot
  const delta: Parts["delta"] = parts.delta
  const full: Parts["full"] = parts.full
  const event: Parts["event"] = parts.event
  const compact: Parts["compact"] = parts.compact
  const compactEvent: Parts["compactEvent"] = parts.compactEvent
  return {
    /** A change, with the whole match after it. */
    LiveUpdate: Schema.Struct({ type: update, ...stamp, ...head, event: Schema.NullOr(event), data: full }),
    /** The newest frame of a match, sent on subscribe. */
    LiveSnapshot: Schema.Struct({ type: snapshot, ...stamp, ...head, event: Schema.NullOr(event), data: full }),
    /** The current match in shape v2, to which deltas apply. */
    CompactSnapshot: Schema.Struct({
      type: snapshot,
      shape: Schema.Literal("v2"),
      ...stamp,
      ...head,
      hash: Schema.String,
      data: compact,
    }),
    /**
     * The change between the frames `base` and `seq` of one epoch. `base` is `seq - 1` unless frames were conflated.
     */
    LiveDelta: Schema.Struct({
      type: delta,
      ...stamp,
      ...head,
      base: Schema.Natural,
      /** Events since `base`, oldest first. */
      events: Schema.Array(compactEvent),
      /** JSON merge patch (RFC 7396) of the document. */
      patch: Schema.Record(Schema.String, Schema.Unknown),
      /** `stateHash` of the document after the patch. Only some frames have it. */
      hash: Schema.optionalKey(Schema.String),
    }),
  }
}

/** A document or event row of a game whose schemas are unknown here. */
export const AnyDocument = Schema.Record(Schema.String, Schema.Unknown)

/** Schemas of the frames of a game whose schemas are unknown here. */
export const anyFrameParts = {
  update: Schema.String,
  snapshot: Schema.String,
  delta: Schema.String,
  full: AnyDocument,
  event: AnyDocument,
  compact: AnyDocument,
  compactEvent: AnyDocument,
} as const
