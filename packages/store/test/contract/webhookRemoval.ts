import { assert, type Vitest } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookDeliveries } from "../../src/webhooks/WebhookDeliveries.ts"
import { WebhookEvents } from "../../src/webhooks/WebhookEvents.ts"
import { WebhookSubscriptions } from "../../src/webhooks/WebhookSubscriptions.ts"
import { claim, eventOf, newAccount, newMatch, type Stores, settings, start, subscribe, subscription } from "./webhookSamples.ts"

const DELIVERIES = 50_000
const LANES = 5_000

export const webhookRemovalContract = (it: Vitest.MethodsNonLive<Stores>) => {
  it.effect("removes a subscription with many deliveries at once for its account, and step by step in the database", () =>
    Effect.gen(function* () {
      yield* start
      const [events, deliveries, subscriptions] = [yield* WebhookEvents, yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const sql = yield* SqlClient.SqlClient
      const [accountId, lane] = [yield* newAccount, newMatch()]
      const idempotency = { key: "k", hash: new TextEncoder().encode("h") }
      const creation = yield* subscriptions.create(accountId, { ...subscription(), idempotency }, 1)
      assert(creation._tag === "Created")
      const id = creation.subscription.subscriptionId
      yield* events.write([eventOf(lane, 1)])
      yield* sql`INSERT INTO webhook_lanes (subscription_id, lane, pending, due_at) SELECT ${id}, 'many-' || n, 0, now() FROM generate_series(1, ${LANES}::integer) AS n`
      yield* sql`INSERT INTO webhook_deliveries (subscription_id, event_id, lane, status, created_at)
        SELECT ${id}, 'evt_many_' || n, 'many-' || n % ${LANES}::integer, 'delivered', now() FROM generate_series(1, ${DELIVERIES}::integer) AS n`
      const stored = Effect.map(
        sql`SELECT (SELECT count(*) FROM webhook_deliveries WHERE subscription_id = ${id})::integer AS deliveries,
          (SELECT count(*) FROM webhook_lanes WHERE subscription_id = ${id})::integer AS lanes,
          (SELECT count(*) FROM webhook_subscriptions WHERE subscription_id = ${id})::integer AS subscriptions`,
        ([counts]) => counts,
      )

      assert.isTrue(yield* subscriptions.remove(accountId, id))
      assert.deepStrictEqual(yield* stored, { deliveries: DELIVERIES + 1, lanes: LANES + 1, subscriptions: 1 })

      // For the account, for events and for workers the subscription no longer exists.
      assert.isFalse(yield* subscriptions.remove(accountId, id))
      const changes = [subscriptions.get, subscriptions.pause, subscriptions.activate] as const
      for (const change of changes) assert.deepStrictEqual(yield* change(accountId, id), Option.none())
      assert.deepStrictEqual(yield* subscriptions.update(accountId, id, () => settings), Option.none())
      assert.deepStrictEqual(yield* subscriptions.rotate(accountId, id, new Uint8Array(1), 0), Option.none())
      assert.deepStrictEqual(yield* subscriptions.list(accountId, { limit: 10, offset: 0 }), { rows: [], total: 0 })
      assert.notInclude(
        (yield* subscriptions.secrets).map(({ subscriptionId }) => subscriptionId),
        id,
      )
      assert.strictEqual((yield* deliveries.list(accountId, id, { limit: 1, offset: 0 })).total, 0)
      assert.deepStrictEqual(yield* claim(lane), [])
      assert.strictEqual(yield* events.write([eventOf(lane, 2)]), 0)
      assert.strictEqual(yield* events.writeFor(id, eventOf(lane, 3)), 0)
      assert.strictEqual(yield* events.resend(accountId, id, { since: 0 }), 0)
      const [secrets] = yield* sql`SELECT url, secret, previous_secret FROM webhook_subscriptions WHERE subscription_id = ${id}`
      assert.deepStrictEqual(secrets, { url: "", secret: new Uint8Array(), previous_secret: null })
      // Its place and its key are free.
      assert.strictEqual((yield* subscriptions.create(accountId, { ...subscription(), idempotency }, 1))._tag, "Created")

      let steps = 0
      for (let deleted = 1; deleted > 0; steps += 1) {
        deleted = yield* subscriptions.clear
        assert.isAtMost(deleted, 2_001)
      }
      assert.isAtLeast(steps, DELIVERIES / 1_000)
      assert.deepStrictEqual(yield* stored, { deliveries: 0, lanes: 0, subscriptions: 0 })
      assert.strictEqual((yield* subscriptions.list(accountId, { limit: 10, offset: 0 })).total, 1)
    }),
  )

  it.effect("keeps other subscriptions when it deletes the rows of removed ones", () =>
    Effect.gen(function* () {
      yield* start
      const [events, subscriptions] = [yield* WebhookEvents, yield* WebhookSubscriptions]
      const [accountId, lane] = [yield* newAccount, newMatch()]
      const [removed, kept] = [yield* subscribe(accountId), yield* subscribe(accountId)]
      yield* events.write([eventOf(lane, 1)])
      yield* subscriptions.remove(accountId, removed)
      while ((yield* subscriptions.clear) > 0);
      assert.deepStrictEqual(
        (yield* claim(lane)).map(({ deliveries, subscriptionId }) => [subscriptionId, deliveries.length]),
        [[kept, 1]],
      )
    }),
  )
}
