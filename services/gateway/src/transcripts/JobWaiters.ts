/**
 * Requests that wait for transcript jobs. One query serves all: when a job of this process ends, and at intervals for
 * jobs of other processes.
 */
import { TranscriptRequests } from "@matchpoint/store/transcripts/TranscriptRequests"
import { TranscriptSignals } from "@matchpoint/store/transcripts/TranscriptSignals"
import { Context, Deferred, Effect, Latch, Layer } from "effect"
import { TranscriptConfig } from "./TranscriptConfig.ts"

export class JobWaiters extends Context.Service<
  JobWaiters,
  {
    /** Waits for the configured time at most. Returns at once if too many requests wait. */
    readonly wait: (jobId: string) => Effect.Effect<void>
  }
>()("@matchpoint/service-gateway/transcripts/JobWaiters") {
  static readonly layer = Layer.effect(
    JobWaiters,
    Effect.gen(function* () {
      const { lookEvery, maxWaiting, wait } = yield* TranscriptConfig
      const requests = yield* TranscriptRequests
      const waiting = new Map<string, Set<Deferred.Deferred<void>>>()
      const someoneWaits = yield* Latch.make(false)
      let count = 0

      const signalled = yield* Effect.flatMap(TranscriptSignals, ({ finished }) => finished.subscribe)

      const look = Effect.gen(function* () {
        if (waiting.size === 0) yield* someoneWaits.close
        yield* someoneWaits.await
        yield* Effect.raceFirst(signalled, Effect.sleep(lookEvery))
        const jobIds = [...waiting.keys()]
        if (jobIds.length === 0) return
        for (const jobId of yield* requests.finished(jobIds)) {
          for (const waiter of waiting.get(jobId) ?? []) yield* Deferred.succeed(waiter, undefined)
        }
      })
      yield* look.pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logWarning("cannot look for finished transcripts; retrying", cause), Effect.sleep(lookEvery)),
        ),
        Effect.forever,
        Effect.annotateLogs({ service: "transcripts" }),
        Effect.forkScoped,
      )

      const enter = (jobId: string) =>
        Effect.sync(() => {
          const waiter = Deferred.makeUnsafe<void>()
          const ofJob = waiting.get(jobId) ?? new Set()
          waiting.set(jobId, ofJob.add(waiter))
          count += 1
          return waiter
        })

      const leave = (jobId: string, waiter: Deferred.Deferred<void>) =>
        Effect.sync(() => {
          const ofJob = waiting.get(jobId)
          ofJob?.delete(waiter)
          if (ofJob?.size === 0) waiting.delete(jobId)
          count -= 1
        })

      return JobWaiters.of({
        wait: (jobId) =>
          Effect.suspend(() =>
            count >= maxWaiting
              ? Effect.void
              : Effect.acquireUseRelease(
                  enter(jobId),
                  (waiter) => Effect.andThen(someoneWaits.open, Effect.raceFirst(Deferred.await(waiter), Effect.sleep(wait))),
                  (waiter) => leave(jobId, waiter),
                ),
          ),
      })
    }),
  )
}
