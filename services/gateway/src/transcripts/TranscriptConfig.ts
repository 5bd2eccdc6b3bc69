/** Settings of the transcript endpoints. Every value has a default. */
import { Context, Duration } from "effect"

export interface TranscriptSettings {
  /** How long a request waits for its transcript before the answer 202. */
  readonly wait: Duration.Duration
  /** Most requests that wait at the same time. Further requests are answered 202 at once. */
  readonly maxWaiting: number
  /** Longest time between two looks for finished jobs while requests wait. Applies if another process finishes the job. */
  readonly lookEvery: Duration.Duration
  /** Most open jobs in the database. Further requests are answered 503. */
  readonly openJobs: number
  /** How long a failure that cannot go away soon, such as a private video, is answered again without another attempt. */
  readonly keepFailures: Duration.Duration
}

export class TranscriptConfig extends Context.Reference<TranscriptSettings>("@matchpoint/service-gateway/transcripts/TranscriptConfig", {
  defaultValue: () => ({
    wait: Duration.seconds(25),
    maxWaiting: 200,
    lookEvery: Duration.seconds(1),
    openJobs: 500,
    keepFailures: Duration.minutes(5),
  }),
}) {}
