/** Frames of the live channels of any game, as customers get them. How frames are written is in wire.ts. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Timestamp } from "../timestamp.ts"

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

/** What the frames of a game hold: their type names, the document in both shapes, and what is told of a change that has a name. */
export interface FrameParts {
  readonly update: Schema.Top
  readonly snapshot: Schema.Top
  readonly delta: Schema.Top
  readonly full: Schema.Top
  readonly event: Schema.Top
  readonly compact: Schema.Top
  readonly compactEvent: Schema.Top
}

/** The frames of a game. */
export const framesOf = <const Parts extends FrameParts>(parts: Parts) => {
  // Read one by one, because taken apart they would lose their types.
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
    /** The match as it is, shape v2: where deltas begin. */
    CompactSnapshot: Schema.Struct({
      type: snapshot,
      shape: Schema.Literal("v2"),
      ...stamp,
      ...head,
      hash: Schema.String,
      data: compact,
    }),
    /** What changed between the frames `base` and `seq` of one epoch: `base` is `seq - 1` unless frames were conflated. */
    LiveDelta: Schema.Struct({
      type: delta,
      ...stamp,
      ...head,
      base: Schema.Natural,
      /** The named changes since `base`, oldest first. */
      events: Schema.Array(compactEvent),
      /** JSON merge patch (RFC 7396) of the document. */
      patch: Schema.Record(Schema.String, Schema.Unknown),
      /** `stateHash` of the document after the patch; not in every frame. */
      hash: Schema.optionalKey(Schema.String),
    }),
  }
}

/** A document or event row of a game that is not known here. */
export const AnyDocument = Schema.Record(Schema.String, Schema.Unknown)

/** What frames of a game that is not known here hold. */
export const anyFrameParts = {
  update: Schema.String,
  snapshot: Schema.String,
  delta: Schema.String,
  full: AnyDocument,
  event: AnyDocument,
  compact: AnyDocument,
  compactEvent: AnyDocument,
} as const
