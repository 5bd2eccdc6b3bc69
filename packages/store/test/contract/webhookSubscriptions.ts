import { assert, type Vitest } from "@effect/vitest"
import { AccountId, termsOf } from "@matchpoint/domain/accounts"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Accounts } from "../../src/keys/Accounts.ts"
import { WebhookDeliveries } from "../../src/webhooks/WebhookDeliveries.ts"
import { WebhookEvents } from "../../src/webhooks/WebhookEvents.ts"
import { WebhookSubscriptions } from "../../src/webhooks/WebhookSubscriptions.ts"
import { WebhookWakeups } from "../../src/webhooks/WebhookWakeups.ts"
import {
  claim,
  eventOf,
  newAccount,
  newMatch,
  report,
  result,
  type Stores,
  secret,
  settings,
  start,
  subscribe,
  subscription,
} from "./webhookSamples.ts"

export const webhookSubscriptionsContract = (it: Vitest.MethodsNonLive<Stores>) => {
  it.effect("repeats a creation with the same idempotency key, and limits the number of subscriptions", () =>
    Effect.gen(function* () {
      yield* start
      const subscriptions = yield* WebhookSubscriptions
      const accountId = yield* newAccount
      const keyed = (key: string, hash: string) => ({ ...subscription(), idempotency: { key, hash: new TextEncoder().encode(hash) } })
      const first = yield* subscriptions.create(accountId, keyed("a", "1"), 2)
      assert(first._tag === "Created")
      const again = yield* subscriptions.create(accountId, keyed("a", "1"), 2)
      assert.deepStrictEqual(again, { _tag: "Repeated", subscription: first.subscription })
      assert.strictEqual((yield* subscriptions.create(accountId, keyed("a", "2"), 2))._tag, "OtherRequest")
      const both = yield* Effect.all(
        [subscriptions.create(accountId, keyed("b", "1"), 2), subscriptions.create(accountId, keyed("c", "1"), 2)],
        {
          concurrency: 2,
        },
      )
      assert.deepStrictEqual(both.map(({ _tag }) => _tag).sort(), ["Created", "TooMany"])
      const { rows, total } = yield* subscriptions.list(accountId, { limit: 1, offset: 0 })
      assert.deepStrictEqual([rows.length, total], [1, 2])
    }),
  )

  it.effect("shows, changes and removes only subscriptions of the account", () =>
    Effect.gen(function* () {
      const now = yield* start
      const subscriptions = yield* WebhookSubscriptions
      const [accountId, stranger] = [yield* newAccount, yield* newAccount]
      const id = yield* subscribe(accountId)
      for (const [account, wanted] of [
        [stranger, id],
        [accountId, "no-uuid"],
        [AccountId.make(id), id],
      ] as const) {
        assert.deepStrictEqual(yield* subscriptions.get(account, wanted), Option.none())
        assert.deepStrictEqual(yield* subscriptions.update(account, wanted, () => settings), Option.none())
        assert.deepStrictEqual(yield* subscriptions.pause(account, wanted), Option.none())
        assert.deepStrictEqual(yield* subscriptions.activate(account, wanted), Option.none())
        assert.isFalse(yield* subscriptions.remove(account, wanted))
      }
      const changed = { ...settings, url: "https://example.com/other", events: ["go.pass"], maxPerSecond: 5 }
      assert.deepInclude(Option.getOrThrow(yield* subscriptions.update(accountId, id, () => changed)), changed)
      assert.deepInclude(Option.getOrThrow(yield* subscriptions.pause(accountId, id)), { status: "paused", statusReason: "customer" })
      yield* TestClock.adjust("1 second")
      const fresh = new TextEncoder().encode("fresh")
      const rotated = Option.getOrThrow(yield* subscriptions.rotate(accountId, id, fresh, now + 9_000))
      assert.deepInclude(rotated, { secret: fresh, previousSecretUntil: now + 9_000, changedAt: now + 1_000 })
      const stored = (yield* subscriptions.secrets).find(({ subscriptionId }) => subscriptionId === id)
      assert.deepStrictEqual(stored, { subscriptionId: id, secret: fresh, previousSecret: secret })
      assert.isTrue(yield* subscriptions.remove(accountId, id))
      assert.deepStrictEqual(yield* subscriptions.get(accountId, id), Option.none())
    }),
  )

  it.effect("pauses the subscriptions of an account whose plan loses webhooks, until a plan includes them again", () =>
    Effect.gen(function* () {
      yield* start
      const [accounts, subscriptions] = [yield* Accounts, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const [active, paused] = [yield* subscribe(accountId), yield* subscribe(accountId)]
      yield* subscriptions.pause(accountId, paused)
      const statuses = Effect.forEach([active, paused], (id) =>
        Effect.map(subscriptions.get(accountId, id), (found) => Option.getOrThrow(found).statusReason),
      )
      yield* accounts.update(accountId, "customer", termsOf("starter"))
      assert.deepStrictEqual(yield* statuses, ["plan", "customer"])
      yield* accounts.update(accountId, "customer", termsOf("business"))
      assert.deepStrictEqual(yield* statuses, [null, "customer"])
    }),
  )

  it.effect("sends again one delivery, all since a time, and all after a position of a match", () =>
    Effect.gen(function* () {
      const now = yield* start
      const [events, deliveries, subscriptions] = [yield* WebhookEvents, yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const lane = newMatch()
      const id = yield* subscribe(accountId, { matchIds: [lane] })
      yield* subscriptions.pause(accountId, id)
      yield* events.write([eventOf(lane, 1), eventOf(lane, 2)])
      yield* TestClock.adjust("1 minute")
      yield* events.write([eventOf(lane, 3)])
      assert.strictEqual(yield* events.resend(accountId, id, { since: 0 }), 0)
      yield* subscriptions.activate(accountId, id)
      assert.strictEqual(yield* events.resend(accountId, id, { matchId: lane, epoch: 1, seq: 1 }), 2)
      // Pending deliveries are not queued again.
      assert.strictEqual(yield* events.resend(accountId, id, { since: 0 }), 1)
      const [claimed] = yield* claim(lane)
      assert.deepStrictEqual(
        claimed?.deliveries.map(({ data }) => data),
        [2, 3, 1].map((seq) => `{"seq":${seq}}`),
      )
      const done = (claimed?.deliveries ?? []).map(({ deliveryId }) => ({ deliveryId, status: "delivered" as const, report: report(1) }))
      yield* deliveries.record([result(id, lane, done)])
      assert.strictEqual(yield* events.resend(accountId, id, { since: now + 60_000 }), 1)
      const first = done[0]?.deliveryId ?? ""
      const again = Option.getOrThrow(yield* deliveries.resend(accountId, id, first))
      assert.deepInclude(again, { eventId: `evt_${lane}.1.2.go.move`, status: "pending", attempts: [] })
      assert.deepStrictEqual(yield* deliveries.resend(yield* newAccount, id, first), Option.none())
      assert.deepStrictEqual(yield* deliveries.resend(accountId, id, "x"), Option.none())
    }),
  )

  it.effect("prunes old deliveries and events, also pending ones", () =>
    Effect.gen(function* () {
      const now = yield* start
      const [events, subscriptions] = [yield* WebhookEvents, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const lane = newMatch()
      const id = yield* subscribe(accountId)
      yield* events.write([eventOf(lane, 1), eventOf(lane, 2)])
      yield* TestClock.adjust("1 hour")
      yield* events.write([eventOf(lane, 3)])
      while ((yield* events.prune(now + 1_000)) > 0);
      assert.strictEqual(Option.getOrThrow(yield* subscriptions.get(accountId, id)).pending, 1)
      const [claimed] = yield* claim(lane)
      assert.deepStrictEqual(
        claimed?.deliveries.map(({ eventId }) => eventId),
        [`evt_${lane}.1.3.go.move`],
      )
      assert.strictEqual(yield* events.resend(accountId, id, { since: 0 }), 0)
    }),
  )

  it.effect("wakes the workers when there is work", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* start
        const [events, wakeups] = [yield* WebhookEvents, yield* WebhookWakeups]
        const woken = yield* wakeups.subscribe
        yield* subscribe(yield* newAccount)
        yield* events.write([eventOf(newMatch(), 1)])
        yield* woken
      }),
    ),
  )
}
