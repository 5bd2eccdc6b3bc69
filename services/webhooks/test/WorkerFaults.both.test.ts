/** Tests the worker while a wakeup, the key for a secret, or the database is missing. The time is virtual. */
import { assert, layer } from "@effect/vitest"
import { StoreError } from "@matchpoint/store/StoreError"
import { WebhookDeliveries } from "@matchpoint/store/webhooks/WebhookDeliveries"
import { WebhookWakeups } from "@matchpoint/store/webhooks/WebhookWakeups"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually } from "@matchpoint/testing/realTime"
import { SecretBox, WebhookSecrets } from "@matchpoint/webhooks/SecretBox"
import { Clock, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { WebhookWorker } from "../src/WebhookWorker.ts"
import { answered, eventOf, ScriptedSender, storesOn, subscribe, write } from "./workerStack.ts"

const accepting = () => new ScriptedSender(() => Effect.succeed(answered(200)))

/** Starts a worker that ends with the scope of the test. */
const startWorker = (sender: ScriptedSender) => Layer.build(WebhookWorker.layer.pipe(Layer.provide(sender.layer)))

/** Milliseconds by which the clock of a test advances at once. The database takes real time between two steps. */
const STEP_MS = 50

/** Waits until the condition holds, while the clock of the test advances. */
const soon = <E, R>(holds: Effect.Effect<boolean, E, R>) => eventually(Effect.andThen(TestClock.adjust(STEP_MS), holds))

/** Wakeups that never arrive, as while the connection that listens is being restored. */
const withoutWakeups = Effect.provideService(WebhookWakeups, { wake: Effect.void, subscribe: Effect.succeed(Effect.never) })

onDatabaseOfRun((name, database) => {
  layer(storesOn(database), { timeout: "60 seconds" })(`a delivery on ${name}`, (it) => {
    it.effect("is attempted within five seconds although its wakeup was lost", () =>
      Effect.gen(function* () {
        const lane = "go-match-71"
        const webhook = yield* subscribe([lane])
        const deliveries = yield* WebhookDeliveries
        let looks = 0
        const watched = WebhookDeliveries.of({
          ...deliveries,
          nextDue: (after) => Effect.tap(deliveries.nextDue(after), () => Effect.sync(() => (looks += 1))),
        })
        const sender = accepting()
        yield* startWorker(sender).pipe(withoutWakeups, Effect.provideService(WebhookDeliveries, watched))
        yield* soon(Effect.sync(() => looks === 1))
        const writtenAt = yield* Clock.currentTimeMillis
        yield* withoutWakeups(write(eventOf(lane, 1)))
        yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 0))
        const waitedMs = (sender.of(webhook.url)[0]?.at ?? 0) - writtenAt
        assert.isAbove(waitedMs, 1_000, "no wakeup arrived")
        assert.isAtMost(waitedMs, 5_000 + STEP_MS)
      }).pipe(Effect.scoped),
    )

    it.effect("waits a minute at a time for the key of its secret, and is not a failed attempt", () =>
      Effect.gen(function* () {
        const lane = "go-match-72"
        const webhook = yield* subscribe([lane])
        const otherKey = new SecretBox([Redacted.make("another key for tests only")])
        const sender = accepting()
        const writtenAt = yield* Clock.currentTimeMillis
        yield* write(eventOf(lane, 1))
        const deliveries = yield* WebhookDeliveries
        const due = Effect.flatMap(Clock.currentTimeMillis, deliveries.nextDue)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* startWorker(sender).pipe(Effect.provideService(WebhookSecrets, otherKey))
            yield* soon(Effect.map(due, (at) => at !== undefined))
          }),
        )
        assert.deepInclude(yield* webhook.stored, { status: "active", failedAttempts: 0, pending: 1 })
        yield* startWorker(sender)
        const dueAt = (yield* due) ?? 0
        assert.isAtLeast(dueAt - writtenAt, 60_000)
        yield* TestClock.setTime(dueAt - 1)
        assert.isEmpty(sender.of(webhook.url))
        yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 0))
        assert.lengthOf(sender.of(webhook.url), 1)
      }).pipe(Effect.scoped),
    )

    it.effect("is sent once although its result cannot be stored for several seconds", () =>
      Effect.gen(function* () {
        const lane = "go-match-73"
        const webhook = yield* subscribe([lane])
        const deliveries = yield* WebhookDeliveries
        const triedAt: Array<number> = []
        const failing = WebhookDeliveries.of({
          ...deliveries,
          record: (results) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              triedAt.push(now)
              return triedAt.length <= 3
                ? Effect.fail(new StoreError({ operation: "WebhookDeliveries.record", cause: new Error("no connection") }))
                : deliveries.record(results)
            }),
        })
        const sender = accepting()
        yield* startWorker(sender).pipe(Effect.provideService(WebhookDeliveries, failing))
        yield* write(eventOf(lane, 1))
        yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 0))
        assert.lengthOf(sender.of(webhook.url), 1)
        assert.lengthOf(triedAt, 4)
        for (const [index, at] of triedAt.slice(1).entries()) assert.closeTo(at - (triedAt[index] ?? 0), 1_000, 2 * STEP_MS)
      }).pipe(Effect.scoped),
    )
  })
})
