/** Runs one claimed job. The job's fence makes sure that a worker that lost its claim stores nothing. */
import type { StoreError } from "@matchpoint/store/StoreError"
import type { TranscriptJobs } from "@matchpoint/store/transcripts/TranscriptJobs"
import type { ClaimedJob } from "@matchpoint/store/transcripts/transcriptRows"
import type { Transcript } from "@matchpoint/transcripts/Transcript"
import { Clock, Duration, Effect, Metric, Schedule } from "effect"
import { EngineFailed, type TranscribeFailure, TranscriptionTimeout } from "../TranscribeFailure.ts"
import type { TranscribeProgress, Transcriber } from "../Transcriber.ts"
import { errorOf, isOfLimits, retryDelayOf } from "./jobFailures.ts"
import type { TranscriptWorkerSettings } from "./TranscriptWorkerConfig.ts"

export const jobsRun = Metric.counter("matchpoint_transcript_attempts_total", {
  description: "Attempts to make a transcript that ended, by result",
  incremental: true,
})
export const attemptSeconds = Metric.histogram("matchpoint_transcript_attempt_seconds", {
  description: "Duration of attempts to make a transcript",
  boundaries: [1, 3, 10, 30, 60, 180, 600, 1_800, 7_200],
})

export interface JobTools {
  readonly jobs: TranscriptJobs["Service"]
  readonly transcriber: Transcriber["Service"]
  readonly settings: TranscriptWorkerSettings
}

type Outcome =
  | { readonly _tag: "Done"; readonly transcript: Transcript }
  | { readonly _tag: "Failed"; readonly failure: TranscribeFailure }
  /** The job was cancelled, or another worker has claimed it. */
  | { readonly _tag: "Lost" }

/** If it is interrupted, the job returns to the queue. Fails if the result cannot be stored in time. */
export const runJob = (job: ClaimedJob, tools: JobTools) => {
  const { jobs, settings } = tools
  return attempted(job, tools).pipe(
    Effect.flatMap((outcome) => Effect.as(stored(job, outcome, tools), outcome._tag === "Failed" ? outcome.failure._tag : outcome._tag)),
    Effect.onInterrupt(() =>
      jobs.release(job).pipe(
        Effect.timeout(settings.shutdownTimeout),
        Effect.catch((error) => Effect.logWarning("cannot return a transcript job to the queue; it waits for the end of its lease", error)),
      ),
    ),
    Effect.annotateLogs({ job: job.jobId }),
  )
}

const attempted = Effect.fnUntraced(function* (job: ClaimedJob, { jobs, settings, transcriber }: JobTools) {
  const { maxBytes, maxDurationSeconds, maxWallSeconds } = job
  let progress: TranscribeProgress | undefined
  const clock = yield* Clock.Clock
  let keptAt = clock.monotonicTimeNanosUnsafe()

  const keep = Effect.suspend(() =>
    jobs.keep(job, { stage: progress?.stage ?? null, fraction: progress?.fraction ?? 0 }, settings.leaseMs),
  ).pipe(
    Effect.tap(() =>
      Effect.sync(() => {
        keptAt = clock.monotonicTimeNanosUnsafe()
      }),
    ),
    // The claim is valid until its lease ends, even if the database does not answer.
    Effect.catch((error) =>
      Effect.map(
        Effect.logWarning("cannot extend the claim of a transcript job", error),
        () => Number(clock.monotonicTimeNanosUnsafe() - keptAt) < settings.leaseMs * 1e6,
      ),
    ),
  )
  const lost = keep.pipe(
    Effect.delay(settings.keepEvery),
    Effect.repeat({ while: (isHeld) => isHeld }),
    Effect.as<Outcome>({ _tag: "Lost" }),
  )

  const transcribed = transcriber
    .transcribe({
      jobId: job.jobId,
      platform: job.platform,
      url: job.url,
      language: job.language,
      limits: { maxBytes, maxDurationSeconds, maxWallSeconds },
      onProgress: (now) =>
        Effect.sync(() => {
          progress = now
        }),
    })
    .pipe(
      Effect.timeoutOrElse({
        duration: Duration.sum(Duration.seconds(maxWallSeconds), settings.overtime),
        orElse: () => Effect.fail(new TranscriptionTimeout({ maxWallSeconds })),
      }),
      Effect.catchDefect((defect) =>
        Effect.andThen(Effect.logError("the transcriber failed unexpectedly", defect), Effect.fail(new EngineFailed({}))),
      ),
      Effect.match({
        onSuccess: (transcript): Outcome => ({ _tag: "Done", transcript }),
        onFailure: (failure): Outcome => ({ _tag: "Failed", failure }),
      }),
    )

  const [took, outcome] = yield* Effect.timed(Effect.raceFirst(transcribed, lost))
  yield* Metric.update(attemptSeconds, Duration.toSeconds(took))
  const result = outcome._tag === "Failed" ? errorOf(outcome.failure).code : outcome._tag.toLowerCase()
  yield* Metric.update(Metric.withAttributes(jobsRun, { result }), 1)
  return outcome
})

const stored = Effect.fnUntraced(function* (job: ClaimedJob, outcome: Outcome, { jobs, settings }: JobTools) {
  const again = <A>(storing: Effect.Effect<A, StoreError>) =>
    Effect.retry(storing, { schedule: Schedule.spaced(settings.retryDatabaseAfter), times: STORE_ATTEMPTS })
  switch (outcome._tag) {
    case "Lost":
      return yield* Effect.logInfo("a transcript job was cancelled, or another worker has claimed it")
    case "Done": {
      const isStored = yield* again(jobs.complete(job, outcome.transcript, Duration.toMillis(settings.keepFor)))
      return isStored
        ? undefined
        : yield* Effect.logInfo("a transcript is dropped, because the job was cancelled or another worker has claimed it")
    }
    case "Failed": {
      const { failure } = outcome
      if (failure._tag === "TranscriptionUnavailable") {
        yield* Effect.logError(`transcripts cannot be made: ${failure.detail}`)
        return yield* again(jobs.release(job))
      }
      const delay = retryDelayOf(failure, job.attempt, settings)
      yield* Effect.logInfo(`attempt ${job.attempt} of a transcript ended with ${failure._tag}: ${failure.detail}`)
      const exceeded = isOfLimits(failure)
        ? { maxBytes: job.maxBytes, maxDurationSeconds: job.maxDurationSeconds, maxWallSeconds: job.maxWallSeconds }
        : null
      const retryAt = delay === null ? null : (yield* Clock.currentTimeMillis) + delay
      return yield* again(jobs.fail(job, { error: errorOf(failure), retryAt, exceeded }))
    }
  }
})

/** Attempts while the database does not answer. Together they are shorter than a lease. */
const STORE_ATTEMPTS = 10
