/**
 * Where refused feed events go: the stream `feed.rejected` and the counter `feed_rejected_total`, by reason. Recording never
 * fails its caller: an event that was refused must not stop the next one. It does not decide what is refused.
 */
import { encodeRejection, type FeedRejection, MAX_RAW_BYTES } from "@matchpoint/contracts/bus/feed"
import { rejectedSubject } from "@matchpoint/contracts/bus/subjects"
import type { RejectionCode } from "@matchpoint/domain/cs2/decide"
import { Context, Effect, Layer, Metric } from "effect"
import { EventLog } from "./EventLog.ts"

export const rejectedTotal = (code: RejectionCode) =>
  Metric.counter("feed_rejected_total", { description: "Feed events that were refused", incremental: true, attributes: { code } })

export class Rejections extends Context.Service<
  Rejections,
  {
    /** `id` names the refusal: the same one recorded again within the log's dedupe window is kept once. */
    readonly record: (id: string, rejection: FeedRejection) => Effect.Effect<void>
  }
>()("@matchpoint/bus/Rejections") {
  static readonly layer = Layer.effect(
    Rejections,
    Effect.gen(function* () {
      const log = yield* EventLog
      const record = Effect.fn("Rejections.record")(function* (id: string, rejection: FeedRejection) {
        yield* Metric.update(rejectedTotal(rejection.code), 1)
        const kept = { ...rejection, raw: rejection.raw.slice(0, MAX_RAW_BYTES) }
        yield* log.append(rejectedSubject, id, encodeRejection(kept)).pipe(
          Effect.retry({ times: 3, while: (error) => error.retryable }),
          Effect.catch((error) => Effect.logWarning("a rejection could not be recorded", error, kept)),
        )
      })
      return Rejections.of({ record })
    }),
  )
}
