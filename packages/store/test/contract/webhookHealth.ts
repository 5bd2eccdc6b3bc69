import { assert, type Vitest } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { WebhookDeliveries } from "../../src/webhooks/WebhookDeliveries.ts"
import { WebhookEvents } from "../../src/webhooks/WebhookEvents.ts"
import { WebhookSubscriptions } from "../../src/webhooks/WebhookSubscriptions.ts"
import { claim, eventOf, newAccount, newMatch, report, result, type Stores, start, subscribe } from "./webhookSamples.ts"

export const webhookHealthContract = (it: Vitest.MethodsNonLive<Stores>) => {
  it.effect("shows a webhook as failing until a delivery succeeds and no match has failed attempts", () =>
    Effect.gen(function* () {
      const now = yield* start
      const [events, deliveries, subscriptions] = [yield* WebhookEvents, yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const [lane, other] = [newMatch(), newMatch()]
      const id = yield* subscribe(accountId)
      yield* events.write([eventOf(lane, 1), eventOf(other, 1), eventOf(other, 2)])
      const health = Effect.map(subscriptions.get(accountId, id), (found) => {
        const { failedAttempts, failingSince } = Option.getOrThrow(found)
        return { failedAttempts, failingSince }
      })
      const failing = { failedAttempts: 3, failingSince: now }
      /** A claim takes all lanes that are due, also those that the test does not want yet. */
      const leasesEnd = TestClock.adjust("2 minutes")
      const deliver = (of: string, changes: Parameters<typeof result>[3] = {}) =>
        Effect.gen(function* () {
          const [claimed] = yield* claim(of)
          const deliveryId = claimed?.deliveries[0]?.deliveryId ?? assert.fail("the lane cannot be claimed")
          const status = (changes.failures ?? 0) > 0 ? ("pending" as const) : ("delivered" as const)
          yield* deliveries.record([result(id, of, [{ deliveryId, status, report: report(1) }], changes)])
          yield* leasesEnd
        })
      /** A lane that waits for the pacer, is interrupted or cannot be decrypted reports no attempt. */
      const withoutAttempt = (of: string, failures: number) =>
        claim(of).pipe(Effect.andThen(deliveries.record([result(id, of, [], { failures })])), Effect.andThen(leasesEnd))

      yield* deliver(lane, { failures: 3, dueAt: now, error: "answered 500" })
      assert.deepStrictEqual(yield* health, failing)
      yield* withoutAttempt(lane, 3)
      assert.deepStrictEqual(yield* health, failing)
      yield* withoutAttempt(other, 0)
      assert.deepStrictEqual(yield* health, failing)
      // The receiver works for another match, but the first one still waits for its next attempt.
      yield* deliver(other)
      assert.deepStrictEqual(yield* health, failing)
      yield* deliver(lane)
      assert.deepStrictEqual(yield* health, { failedAttempts: 0, failingSince: null })
    }),
  )

  it.effect("ignores failed attempts that began before the subscription was activated", () =>
    Effect.gen(function* () {
      const now = yield* start
      const [events, deliveries, subscriptions] = [yield* WebhookEvents, yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const [lane, other] = [newMatch(), newMatch()]
      const id = yield* subscribe(accountId)
      yield* events.write([eventOf(lane, 1), eventOf(other, 1), eventOf(other, 2)])
      const claimed = [(yield* claim(lane))[0], undefined]
      yield* TestClock.adjust("61 seconds")
      claimed[1] = (yield* claim(other))[0]
      const [last, retried] = claimed
      assert(last !== undefined && retried !== undefined)
      const deliveryIdOf = (one: typeof last) => one.deliveries[0]?.deliveryId ?? assert.fail("the lane has no delivery")
      const failed = { ...report(1), status: 500 }
      yield* subscriptions.activate(accountId, id)
      yield* deliveries.record([
        result(id, lane, [{ deliveryId: deliveryIdOf(last), status: "failed", report: failed }], {
          activations: last.activations,
          dueAt: now,
          error: "answered 500",
          disable: "failures",
        }),
        result(id, other, [{ deliveryId: deliveryIdOf(retried), status: "pending", report: failed }], {
          activations: retried.activations,
          failures: 5,
          dueAt: now + 3_600_000,
          error: "answered 500",
        }),
      ])
      assert.deepInclude(Option.getOrThrow(yield* subscriptions.get(accountId, id)), {
        status: "active",
        failedAttempts: 0,
        failingSince: null,
        lastError: null,
        pending: 3,
      })
      // Both deliveries are attempted again at once. The log has the attempts.
      const again = [(yield* claim(lane))[0], undefined]
      yield* TestClock.adjust("61 seconds")
      again[1] = (yield* claim(other))[0]
      for (const [place, one] of again.entries()) {
        assert(one !== undefined)
        assert.deepInclude(one, { failures: 0, activations: 1 })
        assert.deepInclude(one.deliveries[0], { deliveryId: deliveryIdOf(claimed[place] ?? one), attempt: 2 })
      }
      yield* deliveries.record([
        result(id, other, [{ deliveryId: deliveryIdOf(retried), status: "failed", report: failed }], {
          activations: 1,
          error: "answered 500",
          disable: "failures",
        }),
      ])
      assert.deepInclude(Option.getOrThrow(yield* subscriptions.get(accountId, id)), { status: "disabled", statusReason: "failures" })
    }),
  )

  it.effect("finds nothing by text that is no id", () =>
    Effect.gen(function* () {
      yield* start
      const [deliveries, subscriptions] = [yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const id = yield* subscribe(accountId)
      for (const text of ["", "x", "0", "-1", "1.5", "1e3", "9".repeat(30), "00000000-0000-4000-9000-00000000000", "' OR 1=1"]) {
        assert.isTrue(Option.isNone(yield* deliveries.get(accountId, id, text)))
        assert.isTrue(Option.isNone(yield* deliveries.resend(accountId, id, text)))
        assert.isTrue(Option.isNone(yield* subscriptions.get(accountId, text)))
        assert.isTrue(Option.isNone(yield* subscriptions.pause(accountId, text)))
        assert.isFalse(yield* subscriptions.remove(accountId, text))
        assert.strictEqual((yield* deliveries.list(accountId, text, { limit: 1, offset: 0 })).total, 0)
      }
      assert.isTrue(Option.isSome(yield* subscriptions.get(accountId, id)))
    }),
  )
}
