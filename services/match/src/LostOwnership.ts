/**
 * Error of an owner that has lost its match: another process has published or checkpointed changes that this process
 * has not. The owner must stop at once.
 */
import { Schema } from "effect"

export class LostOwnership extends Schema.TaggedError<LostOwnership>()("LostOwnership", {
  matchId: Schema.String,
  reason: Schema.Literals([
    /** The newest record of the match in LIVE is not the last one of this owner. */
    "Conflict",
    /** LIVE already had the record that this owner tried to publish. */
    "Duplicate",
    /** The store holds a newer checkpoint. */
    "CheckpointRefused",
  ]),
}) {
  override get message(): string {
    return `${this.matchId}: another owner is ahead (${this.reason})`
  }
}
