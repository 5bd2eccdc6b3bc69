/**
 * This process no longer owns the match: another one has published changes or saved a checkpoint that it does not have.
 * It must stop running the match immediately.
 */
import { Schema } from "effect"

export class LostOwnership extends Schema.TaggedError<LostOwnership>()("LostOwnership", {
  matchId: Schema.String,
  reason: Schema.Literals([
    /** Another owner wrote the match's newest record in LIVE. */
    "Conflict",
    /** LIVE already contained the record. */
    "Duplicate",
    /** The database already contains a newer checkpoint. */
    "CheckpointRefused",
  ]),
}) {
  override get message(): string {
    return `${this.matchId}: another owner is ahead (${this.reason})`
  }
}
