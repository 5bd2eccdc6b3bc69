/**
 * Claims jobs from the database and runs them with the `Transcriber`. Any number of workers may run in any number of
 * processes. If one dies, its job is claimed again when the lease ends.
 */
import { TranscriptAnnouncements } from "@matchpoint/store/transcripts/TranscriptAnnouncements"
import { TranscriptJobs } from "@matchpoint/store/transcripts/TranscriptJobs"
import { TranscriptSignals } from "@matchpoint/store/transcripts/TranscriptSignals"
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Cause, Effect, Layer, Metric, Option } from "effect"
import { Transcriber } from "../Transcriber.ts"
import { announceFinished } from "./announceFinished.ts"
import { checkedProblems } from "./CheckedTranscriber.ts"
import { gaveUp } from "./jobFailures.ts"
import { runJob } from "./runJob.ts"
import { TranscriptWorkerConfig } from "./TranscriptWorkerConfig.ts"

export const jobsRunning = Metric.gauge("matchpoint_transcript_jobs_running", { description: "Transcripts that this process is making" })
export const jobsOpen = Metric.gauge("matchpoint_transcript_jobs_open", {
  description: "Transcripts that are queued or in progress, in all processes",
})

const work = Effect.gen(function* () {
  const settings = yield* TranscriptWorkerConfig
  const jobs = yield* TranscriptJobs
  const signals = yield* TranscriptSignals
  const transcriber = yield* Transcriber
  const { problems } = yield* checkedProblems
  const announce = announceFinished(yield* TranscriptAnnouncements, yield* WebhookEvents)
  let running = 0

  const count = (change: 1 | -1) =>
    Effect.suspend(() => {
      running += change
      return Metric.update(jobsRunning, running)
    })

  const claimed = Effect.gen(function* () {
    const found = yield* problems
    if (found.length > 0) {
      yield* Effect.logWarning(`transcripts cannot be made: ${found.join("; ")}`)
      yield* Effect.sleep(settings.checkEvery)
      return Option.none()
    }
    yield* Metric.update(jobsOpen, yield* jobs.open)
    return yield* jobs.claim({ leaseMs: settings.leaseMs, maxAttempts: settings.maxAttempts, gaveUp })
  })

  const loop = Effect.gen(function* () {
    const woken = yield* signals.queued.subscribe
    return yield* Effect.gen(function* () {
      const job = yield* claimed
      if (Option.isNone(job)) {
        yield* announce
        return yield* Effect.raceFirst(woken, Effect.sleep(settings.lookEvery))
      }
      const outcome = yield* Effect.acquireUseRelease(
        count(1),
        () => runJob(job.value, { jobs, transcriber, settings }),
        () => count(-1),
      )
      yield* announce
      // The tools failed although the check found no problem. The job must not be tried in a loop.
      if (outcome === "TranscriptionUnavailable") yield* Effect.sleep(settings.checkEvery)
    }).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(Effect.logWarning("the work on transcripts failed; retrying", cause), Effect.sleep(settings.retryDatabaseAfter)),
      ),
      Effect.forever,
    )
  })

  yield* Effect.forEach(Array.from({ length: settings.jobs }), () => Effect.forkScoped(loop), { discard: true })
})

export class TranscriptWorker {
  /** Runs the configured number of jobs at the same time. */
  static readonly layer = Layer.effectDiscard(work.pipe(Effect.annotateLogs({ service: "transcripts" })))
}
