/**
 * Stores rejected feed events in the stream `feed.rejected` and counts them by reason in the metric
 * `matchpoint_feed_rejected_total`. Callers decide which events are rejected. Neither operation fails or delays its
 * caller, because rejections wait in a bounded queue for a single writer. If the log does not accept them fast enough,
 * the oldest rejections are dropped, and the drops are counted and logged. When the process ends, the writer has one
 * second to store the remaining ones.
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

/** Maximum number of rejections that wait to be stored. At 8 KB each, they use 8 MB. */
const CAPACITY = 1_024
const APPEND_TIMEOUT = "5 seconds"
const RETRIES = 3
const FLUSH_AT_END = "1 second"
/** Minimum time in milliseconds between two entries in the process log about dropped rejections. */
const LOG_EVERY_MS = 30_000

interface PendingRejection {
  readonly id: string
  readonly rejection: FeedRejection
}

export class Rejections extends Context.Service<
  Rejections,
  {
    /**
     * Counts and stores a rejection. Returns at once. `id` identifies the rejection: the same id is stored once within
     * the log's dedupe window.
     */
    readonly record: (id: string, rejection: FeedRejection) => Effect.Effect<void>
    /**
     * Counts a rejection without storing it. For rejections that are expected, such as that of an event from a backup
     * feed on standby.
     */
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
      // On shutdown, the writer is stopped by ending its queue and not by interrupting it. Rejections that are still in
      // the queue are therefore stored first, unless the log takes too long to accept them.
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
