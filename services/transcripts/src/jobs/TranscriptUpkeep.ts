/** Deletes expired transcripts, and old requests and jobs. */
import { TranscriptJobs } from "@matchpoint/store/transcripts/TranscriptJobs"
import { Clock, Duration, Effect, Layer } from "effect"
import { TranscriptWorkerConfig } from "./TranscriptWorkerConfig.ts"

const PRUNE_EVERY = Duration.minutes(10)

export const prune = Effect.gen(function* () {
  const jobs = yield* TranscriptJobs
  const { keepFor } = yield* TranscriptWorkerConfig
  // biome-ignore lint/plugin: compared with times in the database
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(keepFor)
  while ((yield* jobs.prune(before)) > 0);
})

export class TranscriptUpkeep {
  static readonly layer = Layer.effectDiscard(
    prune.pipe(
      Effect.catchCause((cause) => Effect.logWarning("cannot delete old transcripts; retrying later", cause)),
      Effect.andThen(Effect.sleep(PRUNE_EVERY)),
      Effect.forever,
      Effect.annotateLogs({ service: "transcripts" }),
      Effect.forkScoped,
    ),
  )
}
