/** Tests the worker with a controlled receiver, on the database of the run. The schedule runs in virtual time. */
import { assert, describe, it, layer } from "@effect/vitest"
import { WebhookDeliveries } from "@matchpoint/store/webhooks/WebhookDeliveries"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually, inRealTime } from "@matchpoint/testing/realTime"
import { RETRY_DELAYS_MS } from "@matchpoint/webhooks/schedule"
import { Clock, Deferred, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { WebhookConfig } from "../src/WebhookConfig.ts"
import { WebhookWorker } from "../src/WebhookWorker.ts"
import { answered, box, eventOf, ScriptedSender, storesOn, subscribe, write } from "./workerStack.ts"

/** Starts a worker that ends with the scope of the test. */
const startWorker = (sender: ScriptedSender) => Layer.build(WebhookWorker.layer.pipe(Layer.provide(sender.layer)))

/** Waits until the condition holds, while the clock of the test advances slowly for the short waits of the worker. */
const soon = <E, R>(holds: Effect.Effect<boolean, E, R>) => eventually(Effect.andThen(TestClock.adjust("5 millis"), holds))

onDatabaseOfRun((name, database) => {
  layer(storesOn(database), { timeout: "60 seconds" })(`the webhook worker on ${name}`, (it) => {
    it.effect("attempts a delivery six times on schedule, then disables the webhook and keeps what waits", () =>
      Effect.gen(function* () {
        const lane = "go-match-1"
        const webhook = yield* subscribe([lane])
        const sender = new ScriptedSender(() => Effect.succeed(answered(500)))
        yield* startWorker(sender)
        yield* write(eventOf(lane, 1), eventOf(lane, 2))
        for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
          yield* soon(Effect.map(webhook.stored, ({ failedAttempts }) => failedAttempts === index + 1))
          yield* TestClock.adjust(delay * 1.1)
        }
        yield* soon(Effect.map(webhook.stored, ({ status }) => status === "disabled"))
        const attempts = sender.of(webhook.url)
        assert.deepStrictEqual(
          attempts.map(({ eventId, headers }) => [eventId, headers["X-Svc-Delivery-Attempt"]]),
          [1, 2, 3, 4, 5, 6].map((attempt) => [`evt_${lane}.1.1.go.move`, String(attempt)]),
        )
        assert.deepInclude(yield* webhook.stored, { statusReason: "failures", pending: 1, lastError: "the receiver answered 500" })
        const deliveries = yield* WebhookDeliveries
        const { rows } = yield* deliveries.list(webhook.accountId, webhook.subscriptionId, { limit: 10, offset: 0 })
        assert.deepStrictEqual(
          rows.map(({ attempts: reports, status }) => [status, reports.length]),
          [
            ["pending", 0],
            ["failed", 6],
          ],
        )
        const report = rows[1]?.attempts ?? []
        for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
          const waited = (report[index + 1]?.at ?? 0) - (report[index]?.at ?? 0)
          assert.isAtLeast(waited, delay)
          assert.isAtMost(waited, delay * 1.1 + 60_000)
        }
      }).pipe(Effect.scoped),
    )

    it.effect("keeps the order of a match behind a failure, without delay for other matches", () =>
      Effect.gen(function* () {
        const [failing, other] = ["go-match-11", "go-match-12"]
        const webhook = yield* subscribe([failing, other])
        const refused = new Set([`evt_${failing}.1.1.go.move`])
        const sender = new ScriptedSender(({ eventId }) => Effect.succeed(answered(refused.delete(eventId) ? 503 : 204)))
        yield* startWorker(sender)
        yield* write(...[1, 2, 3].flatMap((seq) => [eventOf(failing, seq), eventOf(other, seq)]))
        yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 3))
        const seqs = (lane: string) =>
          sender
            .of(webhook.url)
            .filter(({ eventId }) => eventId.startsWith(`evt_${lane}.`))
            .map(({ body }) => JSON.parse(body).data.seq)
        assert.deepStrictEqual([seqs(failing), seqs(other)], [[1], [1, 2, 3]])
        yield* TestClock.adjust("70 seconds")
        yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 0))
        assert.deepStrictEqual(seqs(failing), [1, 1, 2, 3])
        assert.deepInclude(yield* webhook.stored, { status: "active", failingSince: null, failedAttempts: 0 })
      }).pipe(Effect.scoped),
    )

    it.effect("signs with the old secret too during the grace period, and only with the new one after it", () =>
      Effect.gen(function* () {
        const lane = "go-match-21"
        const webhook = yield* subscribe([lane])
        const subscriptions = yield* WebhookSubscriptions
        const fresh = box.seal(webhook.subscriptionId, Redacted.make("bmV3IHNlY3JldCBuZXcgc2VjcmV0IG5ldyBzZWNyZXQ="))
        const sender = new ScriptedSender(() => Effect.succeed(answered(200)))
        yield* startWorker(sender)
        const now = yield* Clock.currentTimeMillis
        yield* subscriptions.rotate(webhook.accountId, webhook.subscriptionId, fresh, now + 60_000)
        for (const seq of [1, 2]) {
          yield* write(eventOf(lane, seq))
          yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 0))
          yield* TestClock.adjust("2 minutes")
        }
        const signatures = sender.of(webhook.url).map(({ headers }) => headers["webhook-signature"]?.split(" ").length)
        assert.deepStrictEqual(signatures, [2, 1])
      }).pipe(Effect.scoped),
    )

    it.effect("disables the webhook at once if the receiver answers 410", () =>
      Effect.gen(function* () {
        const lane = "go-match-31"
        const webhook = yield* subscribe([lane])
        const sender = new ScriptedSender(() => Effect.succeed(answered(410)))
        yield* startWorker(sender)
        yield* write(eventOf(lane, 1))
        yield* soon(Effect.map(webhook.stored, ({ status }) => status === "disabled"))
        assert.deepInclude(yield* webhook.stored, { statusReason: "gone", pending: 0 })
      }).pipe(Effect.scoped),
    )

    it.effect("spaces the deliveries of a webhook with a limit per second", () =>
      Effect.gen(function* () {
        const lane = "go-match-41"
        const webhook = yield* subscribe([lane], 3)
        const sender = new ScriptedSender(() => Effect.succeed(answered(200)))
        yield* startWorker(sender)
        yield* write(...[1, 2, 3, 4].map((seq) => eventOf(lane, seq)))
        yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 0))
        const times = sender.of(webhook.url).map(({ at }) => at)
        // Four deliveries take three intervals of 334 ms. Single ones may come 100 ms early after a late one.
        assert.lengthOf(times, 4)
        assert.isAtLeast((times[3] ?? 0) - (times[0] ?? 0), 900)
      }).pipe(Effect.scoped),
    )

    it.effect("stops in the middle of a lane without losing or repeating what was answered", () =>
      Effect.gen(function* () {
        const lane = "go-match-51"
        const webhook = yield* subscribe([lane])
        const hanging = yield* Deferred.make<void>()
        const first = new ScriptedSender(({ eventId }) =>
          eventId.includes(".1.2.") ? Effect.andThen(Deferred.succeed(hanging, undefined), Effect.never) : Effect.succeed(answered(200)),
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* startWorker(first)
            yield* write(...[1, 2, 3].map((seq) => eventOf(lane, seq)))
            yield* soon(Deferred.isDone(hanging))
          }),
        )
        const second = new ScriptedSender(() => Effect.succeed(answered(200)))
        yield* startWorker(second)
        yield* soon(Effect.map(webhook.stored, ({ pending }) => pending === 0))
        const seqs = (sender: ScriptedSender) => sender.of(webhook.url).map(({ body }) => JSON.parse(body).data.seq)
        assert.deepStrictEqual(
          [seqs(first), seqs(second)],
          [
            [1, 2],
            [2, 3],
          ],
        )
      }).pipe(Effect.scoped),
    )
  })

  describe(`an idle worker on ${name}`, () => {
    it.live("attempts a new event within a second, without polling", () =>
      Effect.gen(function* () {
        const lane = "go-match-61"
        const webhook = yield* subscribe([lane])
        const sender = new ScriptedSender(() => Effect.succeed(answered(200)))
        yield* startWorker(sender).pipe(Effect.updateService(WebhookConfig, (settings) => ({ ...settings, lookEveryMs: 3_600_000 })))
        yield* Effect.sleep("50 millis")
        const startedAt = performance.now()
        yield* write(eventOf(lane, 1))
        yield* inRealTime(eventually(Effect.sync(() => sender.of(webhook.url).length === 1)))
        assert.isBelow(performance.now() - startedAt, 1_000)
      }).pipe(Effect.scoped, Effect.provide(storesOn(database))),
    )
  })
})
