/** Another process owns the match: it has published or checkpointed what this one has not. Whoever fails with this stops at once. */
import { Schema } from "effect"

export class LostOwnership extends Schema.TaggedError<LostOwnership>()("LostOwnership", {
  matchId: Schema.String,
  reason: Schema.Literals([
    /** Another record than ours is the newest of the match in LIVE. */
    "Conflict",
    /** LIVE had the record that we were about to publish. */
    "Duplicate",
    /** The store holds a newer checkpoint. */
    "CheckpointRefused",
  ]),
}) {
  override get message(): string {
    return `${this.matchId}: another owner is ahead (${this.reason})`
  }
}
