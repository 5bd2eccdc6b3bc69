import { Context, Duration } from "effect"

export interface TranscriptWorkerSettings {
  /** Jobs at the same time. Each uses the speech engine, so more than one job needs more than one engine. */
  readonly jobs: number
  /** How long a claim is valid without a sign of life. After a crash the job waits this long. */
  readonly leaseMs: number
  /** Time between two signs of life, each of which stores the progress. */
  readonly keepEvery: Duration.Duration
  /** Attempts per job, including those that ended with a crash. */
  readonly maxAttempts: number
  /** Delay before each retry. */
  readonly retryDelaysMs: ReadonlyArray<number>
  /** Longest time between two queries for work, for jobs that another process has queued. */
  readonly lookEvery: Duration.Duration
  /** How long the result of a check that has found a problem is used. */
  readonly checkEvery: Duration.Duration
  /** The same without a problem. A check starts each program once. */
  readonly trustCheckFor: Duration.Duration
  /** Time added to the limit of a job before the worker ends it itself. */
  readonly overtime: Duration.Duration
  /** How long transcripts, requests and jobs are stored. */
  readonly keepFor: Duration.Duration
  readonly retryDatabaseAfter: Duration.Duration
  /** How long a worker that stops tries to return its job to the queue. */
  readonly shutdownTimeout: Duration.Duration
}

export class TranscriptWorkerConfig extends Context.Reference<TranscriptWorkerSettings>(
  "@matchpoint/service-transcripts/jobs/TranscriptWorkerConfig",
  {
    defaultValue: () => ({
      jobs: 1,
      leaseMs: 30_000,
      keepEvery: Duration.seconds(1),
      maxAttempts: 3,
      retryDelaysMs: [5_000, 30_000],
      lookEvery: Duration.seconds(2),
      checkEvery: Duration.seconds(30),
      trustCheckFor: Duration.minutes(10),
      overtime: Duration.seconds(30),
      keepFor: Duration.days(1),
      retryDatabaseAfter: Duration.seconds(1),
      shutdownTimeout: Duration.seconds(2),
    }),
  },
) {}
