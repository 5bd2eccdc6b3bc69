import { Context, Duration } from "effect"

export interface TranscriptSettings {
  /** How long a request waits for its transcript before the answer 202. */
  readonly wait: Duration.Duration
  /** Waiting requests. Further ones are answered 202 at once. */
  readonly maxWaiting: number
  /** Longest time between two queries for finished jobs, for jobs of other processes. */
  readonly lookEvery: Duration.Duration
  /** Maximum number of open jobs in the database. Further requests are answered 503. */
  readonly openJobs: number
  /** How long a lasting failure, such as a private video, is answered again without another attempt. */
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
