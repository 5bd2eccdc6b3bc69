/**
 * Wakes the workers that deliver webhooks when there is new work. A wakeup may be lost, for example while the connection
 * to the database is being restored, so workers must also look for work at regular intervals.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, PubSub, type Scope, Stream } from "effect"

const CHANNEL = "matchpoint_webhooks"

export class WebhookWakeups extends Context.Service<
  WebhookWakeups,
  {
    /** Never fails: workers find the work at their next regular look. */
    readonly wake: Effect.Effect<void>
    /** Subscribes until the scope closes. Wakeups that arrive together count as one. */
    readonly subscribe: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  }
>()("@matchpoint/store/webhooks/WebhookWakeups") {
  static readonly layerLocal = Layer.effect(WebhookWakeups, Effect.map(PubSub.sliding<void>(1), overPubSub))

  /**
   * Reaches all processes that use the same PostgreSQL database, with LISTEN and NOTIFY. Needs more than one connection,
   * because listening occupies one. A process that does not subscribe does not listen.
   */
  static readonly layerPostgres = Layer.effect(
    WebhookWakeups,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const local = yield* PubSub.sliding<void>(1)
      const listening = Effect.scoped(
        Effect.flatMap(sql.listen(CHANNEL), (notifications) =>
          Stream.runForEach(Stream.fromQueue(notifications), () => PubSub.publish(local, undefined)),
        ),
      )
      const scope = yield* Effect.scope
      const listen = yield* listening.pipe(
        Effect.catchCause((cause) => Effect.logWarning("cannot listen for webhook work; retrying", cause)),
        Effect.delay("1 second"),
        Effect.forever,
        Effect.forkIn(scope),
        Effect.cached,
      )
      const { subscribe } = overPubSub(local)
      return WebhookWakeups.of({ subscribe: Effect.andThen(listen, subscribe), wake: notifying(sql) })
    }),
  )

  /**
   * Layer for a pooler that gives each transaction another session, which cannot listen, so subscribers are woken
   * only by this process itself, and the workers of others find its work.
   */
  static readonly layerPooled = Layer.effect(
    WebhookWakeups,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { subscribe, wake } = overPubSub(yield* PubSub.sliding<void>(1))
      return WebhookWakeups.of({ subscribe, wake: Effect.andThen(wake, notifying(sql)) })
    }),
  )
}

function notifying(sql: PgClient.PgClient) {
  return sql.notify(CHANNEL, "").pipe(Effect.catchCause((cause) => Effect.logDebug("cannot notify the webhook workers", cause)))
}

function overPubSub(wakeups: PubSub.PubSub<void>) {
  return WebhookWakeups.of({
    wake: Effect.asVoid(PubSub.publish(wakeups, undefined)),
    subscribe: Effect.map(PubSub.subscribe(wakeups), (subscription) => PubSub.take(subscription)),
  })
}
