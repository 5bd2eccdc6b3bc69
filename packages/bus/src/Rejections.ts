/**
 * Where refused feed events go: the stream `feed.rejected` and the counter `matchpoint_feed_rejected_total`, by reason. Neither fails nor delays its
 * caller: records wait in a bounded queue for one writer. If the log does not take them the oldest are dropped, counted and logged, and a
 * process that ends gives the writer a second to finish. It does not decide what is refused.
 */
import { encodeRejection, type FeedRejection, MAX_RAW_BYTES } from "@matchpoint/contracts/bus/feed"
import { rejectedSubject } from "@matchpoint/contracts/bus/subjects"
import { type Cause, Clock, Context, Effect, Fiber, Layer, Metric, Queue } from "effect"
import { EventLog } from "./EventLog.ts"

export const rejected = Metric.counter("matchpoint_feed_rejected_total", {
  description: "Feed events that were refused, by the code of the refusal",
  incremental: true,
})
export const rejectedTotal = (code: string) => Metric.withAttributes(rejected, { code })

export const rejectionsDropped = Metric.counter("matchpoint_feed_rejections_dropped_total", {
  description: "Refused feed events that were counted but not stored, because the log did not take them",
  incremental: true,
})

/** Refusals that wait for the log, at most: 8 MB at 8 KB each. */
const CAPACITY = 1_024
const APPEND_TIMEOUT = "5 seconds"
const RETRIES = 3
const FLUSH_AT_END = "1 second"
/** Drops are logged at most this often. */
const LOG_EVERY_MS = 30_000

interface Refusal {
  readonly id: string
  readonly rejection: FeedRejection
}

export class Rejections extends Context.Service<
  Rejections,
  {
    /** Counts and stores a refusal. `id` names it: the same one within the log's dedupe window is stored once. Returns at once. */
    readonly record: (id: string, rejection: FeedRejection) => Effect.Effect<void>
    /** Counts a refusal that is expected and not worth storing, such as a fact of a backup feed on standby. */
    readonly count: (code: string) => Effect.Effect<void>
  }
>()("@matchpoint/bus/Rejections") {
  static readonly layer = Layer.effect(
    Rejections,
    Effect.gen(function* () {
      const log = yield* EventLog
      const clock = yield* Clock.Clock
      const context = yield* Effect.context<never>()
      const waiting = yield* Queue.sliding<Refusal, Cause.Done>(CAPACITY)
      let queued = 0
      let dropped = 0
      let loggedAt = Number.NEGATIVE_INFINITY

      const drop = (count: number) =>
        Effect.suspend(() => {
          rejectionsDropped.updateUnsafe(count, context)
          dropped += count
          const now = clock.currentTimeMillisUnsafe()
          if (now - loggedAt < LOG_EVERY_MS) return Effect.void
          const since = dropped
          loggedAt = now
          dropped = 0
          return Effect.logWarning(`${since} refused feed events were counted but not stored: the log does not take them`)
        })

      const write = Effect.fnUntraced(function* ({ id, rejection }: Refusal) {
        const kept = { ...rejection, raw: rejection.raw.slice(0, MAX_RAW_BYTES) }
        yield* log.append(rejectedSubject, id, encodeRejection(kept)).pipe(
          Effect.timeout(APPEND_TIMEOUT),
          Effect.retry({ times: RETRIES, while: (error) => error._tag === "TimeoutError" || error.retryable }),
          Effect.catchCause(() => drop(1)),
        )
        queued -= 1
      })
      const writeAll = Queue.take(waiting).pipe(Effect.flatMap(write), Effect.forever)
      // The end of the queue, not an interruption, stops the writer: what waits is stored first, if the log is quick.
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
