/**
 * Stores rejected facts in the stream `feed.rejected` and counts them in the metric `matchpoint_feed_rejected_total`.
 * Callers decide what is rejected. Neither operation fails or delays its caller: rejections wait in a bounded queue for
 * one writer. If the log is too slow, the oldest are dropped, counted and logged. On shutdown the writer has one second
 * for the rest.
 */
import { encodeRejection, type FeedRejection, MAX_RAW_BYTES } from "@matchpoint/contracts/bus/feed"
import { rejectedSubject } from "@matchpoint/contracts/bus/subjects"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { type Cause, Clock, Context, Effect, Fiber, Layer, Metric, Queue } from "effect"
import { EventLog } from "./EventLog.ts"

export const rejected = Metric.counter("matchpoint_feed_rejected_total", {
  description: "Rejected feed events, by rejection code",
  incremental: true,
})
export const rejectedTotal = (code: string) => Metric.withAttributes(rejected, { code })

export const rejectionsDropped = Metric.counter("matchpoint_feed_rejections_dropped_total", {
  description: "Rejected feed events that were counted but not stored, because the log did not accept them",
  incremental: true,
})

/** At 8 KB each, the waiting rejections use 8 MB. */
const CAPACITY = 1_024
const APPEND_TIMEOUT = "5 seconds"
const RETRIES = 3
const FLUSH_AT_END = "1 second"
/** Minimum time between two log entries about dropped rejections. */
const LOG_EVERY_MS = 30_000

interface PendingRejection {
  readonly id: string
  readonly rejection: FeedRejection
}

export class Rejections extends Context.Service<
  Rejections,
  {
    /** Returns at once. The same id is stored once within the log's dedupe window. */
    readonly record: (id: string, rejection: FeedRejection) => Effect.Effect<void>
    /** Counts without storing. For expected rejections, such as an event from a backup feed on standby. */
    readonly count: (code: string) => Effect.Effect<void>
  }
>()("@matchpoint/bus/Rejections") {
  static readonly layer = Layer.effect(
    Rejections,
    Effect.gen(function* () {
      const log = yield* EventLog
      const monotonic = monotonicOf(yield* Clock.Clock)
      const context = yield* Effect.context<never>()
      const waiting = yield* Queue.sliding<PendingRejection, Cause.Done>(CAPACITY)
      let queued = 0
      let dropped = 0
      let loggedAt = Number.NEGATIVE_INFINITY

      const drop = (count: number) =>
        Effect.suspend(() => {
          rejectionsDropped.updateUnsafe(count, context)
          dropped += count
          const now = monotonic()
          if (now - loggedAt < LOG_EVERY_MS) return Effect.void
          const since = dropped
          loggedAt = now
          dropped = 0
          return Effect.logWarning(`${since} rejected feed events were counted but not stored, because the log does not accept them`)
        })

      const write = Effect.fnUntraced(function* ({ id, rejection }: PendingRejection) {
        const kept = { ...rejection, raw: rejection.raw.slice(0, MAX_RAW_BYTES) }
        yield* log.append(rejectedSubject, id, encodeRejection(kept)).pipe(
          Effect.timeout(APPEND_TIMEOUT),
          Effect.retry({ times: RETRIES, while: (error) => error._tag === "TimeoutError" || error.retryable }),
          Effect.catchCause(() => drop(1)),
        )
        queued -= 1
      })
      const writeAll = Queue.take(waiting).pipe(Effect.flatMap(write), Effect.forever)
      // Ending the queue instead of interrupting the writer stores the rejections still in it, if the log is fast enough.
      yield* Effect.acquireRelease(Effect.forkDetach(writeAll), (writer) =>
        Queue.end(waiting).pipe(
          Effect.andThen(Fiber.await(writer)),
          Effect.timeoutOption(FLUSH_AT_END),
          Effect.andThen(Fiber.interrupt(writer)),
        ),
      )

      return Rejections.of({
        record: (id, rejection) =>
          Effect.suspend(() => {
            rejectedTotal(rejection.code).updateUnsafe(1, context)
            const isFull = queued >= CAPACITY
            if (!isFull) queued += 1
            Queue.offerUnsafe(waiting, { id, rejection })
            return isFull ? drop(1) : Effect.void
          }),
        count: (code) => Effect.sync(() => rejectedTotal(code).updateUnsafe(1, context)),
      })
    }),
  )
}
