/** Whether this installation can make transcripts. The composition root connects the port with the speech engine. */
import { Context, Effect } from "effect"

export interface TranscriptionStatusReport {
  /** Why transcripts cannot be made and what to do, for customers. Null if they can be made. */
  readonly problem: Effect.Effect<string | null>
}

export class TranscriptionStatus extends Context.Reference<TranscriptionStatusReport>("@matchpoint/transcripts/TranscriptionStatus", {
  defaultValue: () => ({
    problem: Effect.succeed(
      "this server is not set up for transcripts; the operator can enable them, see docs/operators/transcripts-setup.md",
    ),
  }),
}) {}
