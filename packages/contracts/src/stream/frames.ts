/** Frames: the messages about live matches as customers receive them, for any game. `wire.ts` encodes them. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Timestamp } from "../timestamp.ts"

/** With `v1`, every frame contains the whole match document; with `v2`, only changes. */
export const Shape = Schema.Literals(["v1", "v2"])
export type Shape = typeof Shape.Type

const stamp = {
  /** Time when the log stored the frame, by the clock of the log, so that every server reports the same time. */
  publishedAt: Timestamp,
  /** Position in the log of all matches. Ascending but not consecutive. Needed only to resume the room `all`. */
  position: Schema.Natural,
} as const

const head = {
  matchId: MatchId,
  /**
   * `(epoch, seq)` is the cursor of the frame. Within an epoch, `seq` is 1, 2, 3, ... without gaps. `epoch` changes
   * only if the server has lost the history of the match.
   */
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /** Time of the change, by the clock of the feed. */
  observedAt: Timestamp,
  /** Time when the service received the change. */
  receivedAt: Timestamp,
} as const

/** Parts that a game defines: message types, the match document in both formats, and the events. */
export interface FrameParts {
  readonly update: Schema.Top
  readonly snapshot: Schema.Top
  readonly delta: Schema.Top
  readonly full: Schema.Top
  readonly event: Schema.Top
  readonly compact: Schema.Top
  readonly compactEvent: Schema.Top
}

export const framesOf = <const Parts extends FrameParts>(parts: Parts) => {
  // Destructuring `parts` would lose the types.
  const update: Parts["update"] = parts.update
  const snapshot: Parts["snapshot"] = parts.snapshot
  const delta: Parts["delta"] = parts.delta
  const full: Parts["full"] = parts.full
  const event: Parts["event"] = parts.event
  const compact: Parts["compact"] = parts.compact
  const compactEvent: Parts["compactEvent"] = parts.compactEvent
  return {
    /** A change, with the whole match document after it (v1). */
    LiveUpdate: Schema.Struct({ type: update, ...stamp, ...head, event: Schema.NullOr(event), data: full }),
    /** The newest frame (v1), sent when a client subscribes. */
    LiveSnapshot: Schema.Struct({ type: snapshot, ...stamp, ...head, event: Schema.NullOr(event), data: full }),
    /** The current match document (v2), to which the client applies the deltas that follow. */
    CompactSnapshot: Schema.Struct({
      type: snapshot,
      shape: Schema.Literal("v2"),
      ...stamp,
      ...head,
      hash: Schema.String,
      data: compact,
    }),
    /**
     * The change from frame `base` to frame `seq`, both of one epoch. `base` is `seq - 1` unless several changes were
     * merged (conflated) into one frame.
     */
    LiveDelta: Schema.Struct({
      type: delta,
      ...stamp,
      ...head,
      base: Schema.Natural,
      /** Events since the frame `base`, oldest first. */
      events: Schema.Array(compactEvent),
      /** JSON merge patch (RFC 7396) that turns the document of the frame `base` into the document of this frame. */
      patch: Schema.Record(Schema.String, Schema.Unknown),
      /** The `stateHash` of the document after the patch. Only some deltas contain it. */
      hash: Schema.optionalKey(Schema.String),
    }),
  }
}

/** A document or event of any game. Its fields are not validated, because the schemas of the game are unknown here. */
export const AnyDocument = Schema.Record(Schema.String, Schema.Unknown)

/** Accept the frames of any game without validating their game-specific content. */
export const anyFrameParts = {
  update: Schema.String,
  snapshot: Schema.String,
  delta: Schema.String,
  full: AnyDocument,
  event: AnyDocument,
  compact: AnyDocument,
  compactEvent: AnyDocument,
} as const
