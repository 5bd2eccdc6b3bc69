/**
 * Error: the process that runs a match no longer owns it, because another process has published changes or saved a
 * checkpoint that this process does not have. This process must stop running the match immediately.
 */
import { Schema } from "effect"

export class LostOwnership extends Schema.TaggedError<LostOwnership>()("LostOwnership", {
  matchId: Schema.String,
  reason: Schema.Literals([
    /** The newest record of the match in the LIVE stream (published records) was not written by this owner. */
    "Conflict",
    /** The LIVE stream (published records) already contained the record that this owner tried to publish. */
    "Duplicate",
    /** The database rejected this owner's checkpoint because it already contains a newer one. */
    "CheckpointRefused",
  ]),
}) {
  override get message(): string {
    return `${this.matchId}: another owner is ahead (${this.reason})`
  }
}
