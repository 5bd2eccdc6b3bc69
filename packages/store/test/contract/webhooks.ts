import { assert, type Vitest } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { WebhookDeliveries } from "../../src/webhooks/WebhookDeliveries.ts"
import { WebhookEvents } from "../../src/webhooks/WebhookEvents.ts"
import { WebhookSubscriptions } from "../../src/webhooks/WebhookSubscriptions.ts"
import {
  claim,
  eventOf,
  newAccount,
  newMatch,
  OTHER_WORKER,
  report,
  result,
  type Stores,
  start,
  subscribe,
  WORKER,
} from "./webhookSamples.ts"

export const webhooksContract = (it: Vitest.MethodsNonLive<Stores>) => {
  it.effect("queues each event once, for every subscription that it matches", () =>
    Effect.gen(function* () {
      yield* start
      const events = yield* WebhookEvents
      const accountId = yield* newAccount
      const lane = newMatch()
      const all = yield* subscribe(accountId)
      const matching = yield* subscribe(accountId, { games: ["go"], matchIds: [lane, "go-match-1"], teamIds: ["white", "black"] })
      yield* subscribe(accountId, { games: ["chess"] })
      yield* subscribe(accountId, { matchIds: ["go-match-1"] })
      yield* subscribe(accountId, { teamIds: ["white"] })
      yield* subscribe(accountId, { playerIds: ["anyone"] })
      yield* subscribe(accountId, { events: ["go.pass"] })
      const written = [1, 2, 3].map((seq) => eventOf(lane, seq))
      assert.strictEqual(yield* events.write(written), 6)
      assert.strictEqual(yield* events.write([...written, eventOf(lane, 4)]), 2)
      const claims = yield* claim(lane)
      assert.deepStrictEqual(claims.map(({ subscriptionId }) => subscriptionId).sort(), [all, matching].sort())
      for (const { deliveries } of claims) {
        assert.deepStrictEqual(
          deliveries.map(({ attempt, data, eventId, occurredAt }) => [eventId, data, occurredAt, attempt]),
          [1, 2, 3, 4].map((seq) => [`evt_${lane}.1.${seq}.go.move`, `{"seq":${seq}}`, 1_000 + seq, 1]),
        )
      }
    }),
  )

  it.effect("shows the feed event behind a delivery, and when it was received and stored", () =>
    Effect.gen(function* () {
      const now = yield* start
      const [events, deliveries] = [yield* WebhookEvents, yield* WebhookDeliveries]
      const accountId = yield* newAccount
      const lane = newMatch()
      const id = yield* subscribe(accountId)
      yield* events.write([eventOf(lane, 1, { fact: { id: "go:fact:1", receivedAt: now - 5 } }), eventOf(lane, 2)])
      const { rows } = yield* deliveries.list(accountId, id, { limit: 2, offset: 0 })
      assert.deepStrictEqual(
        rows.map(({ factId, factReceivedAt, storedAt }) => [factId, factReceivedAt, storedAt]),
        [
          [null, null, now],
          ["go:fact:1", now - 5, now],
        ],
      )
    }),
  )

  it.effect("stores only events that match a subscription", () =>
    Effect.gen(function* () {
      yield* start
      const events = yield* WebhookEvents
      const sql = yield* SqlClient.SqlClient
      const [wanted, unwanted] = [newMatch(), newMatch()]
      yield* subscribe(yield* newAccount, { matchIds: [wanted] })
      yield* events.write([eventOf(wanted, 1), eventOf(unwanted, 1), eventOf(wanted, 2, { name: "go.pass", eventId: "evt_other" })])
      const stored = yield* sql<{ readonly lane: string }>`SELECT lane FROM webhook_events WHERE lane IN (${wanted}, ${unwanted})`
      assert.deepStrictEqual(stored, [{ lane: wanted }])
    }),
  )

  it.effect("lets one worker hold a lane until its lease expires, and ignores results of the worker that lost it", () =>
    Effect.gen(function* () {
      yield* start
      const [events, deliveries, subscriptions] = [yield* WebhookEvents, yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const lane = newMatch()
      const id = yield* subscribe(accountId)
      yield* events.write([eventOf(lane, 1), eventOf(lane, 2)])
      const [first] = yield* claim(lane)
      assert.deepStrictEqual(yield* claim(lane, OTHER_WORKER), [])
      yield* TestClock.adjust("61 seconds")
      const [second] = yield* claim(lane, OTHER_WORKER)
      assert.deepStrictEqual(second?.deliveries, first?.deliveries)
      const [one, two] = first?.deliveries ?? []
      assert(one !== undefined && two !== undefined)
      // The worker that lost the lane reports a success, which is not lost, but does not release the lane.
      yield* deliveries.record([result(id, lane, [{ deliveryId: one.deliveryId, status: "delivered", report: report(1) }])])
      assert.deepStrictEqual(yield* claim(lane), [])
      yield* deliveries.record([
        result(
          id,
          lane,
          [one, two].map(({ deliveryId }) => ({ deliveryId, status: "delivered" as const, report: report(1) })),
          { holder: OTHER_WORKER },
        ),
      ])
      const { rows, total } = yield* deliveries.list(accountId, id, { limit: 1, offset: 1 })
      assert.strictEqual(total, 2)
      assert.deepStrictEqual(
        rows.map(({ attempts, status }) => [status, attempts]),
        [["delivered", [report(1)]]],
      )
      assert.strictEqual(Option.getOrThrow(yield* subscriptions.get(accountId, id)).pending, 0)
      yield* events.write([eventOf(lane, 3)])
      assert.lengthOf(yield* claim(lane), 1)
    }),
  )

  it.effect("counts the results of a worker that loses its lane while they are stored", () =>
    Effect.gen(function* () {
      yield* start
      const [events, deliveries, subscriptions] = [yield* WebhookEvents, yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const sql = yield* SqlClient.SqlClient
      const accountId = yield* newAccount
      const lane = newMatch()
      const id = yield* subscribe(accountId)
      yield* events.write([eventOf(lane, 1), eventOf(lane, 2)])
      const [first] = yield* claim(lane)
      const [one] = first?.deliveries ?? []
      assert(first !== undefined && one !== undefined)
      yield* TestClock.adjust("61 seconds")
      const claimed = yield* Deferred.make<void>()
      // Starts outside the transaction, so that it uses another connection if the database has several.
      const storing = yield* Deferred.await(claimed).pipe(
        Effect.andThen(
          deliveries.record([result(id, lane, [{ deliveryId: one.deliveryId, status: "delivered", report: report(1) }], { failures: 3 })]),
        ),
        Effect.forkScoped,
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          assert.lengthOf(yield* claim(lane, OTHER_WORKER), 1)
          yield* Deferred.succeed(claimed, undefined)
          // With several connections, the results now wait for the lane that this transaction has claimed.
          yield* sql`SELECT FROM pg_locks WHERE NOT granted`.pipe(Effect.repeat({ until: (waiting) => waiting.length > 0, times: 200 }))
        }),
      )
      yield* Fiber.join(storing)
      assert.strictEqual(Option.getOrThrow(yield* subscriptions.get(accountId, id)).pending, 1)
      assert.deepStrictEqual(yield* claim(lane), [])
      yield* TestClock.adjust("61 seconds")
      const [second] = yield* claim(lane)
      assert(second !== undefined)
      assert.deepInclude(second, { failures: 0, deliveries: first.deliveries.slice(1) })
    }),
  )

  it.effect("counts failures, waits for the next attempt, and disables a subscription", () =>
    Effect.gen(function* () {
      const now = yield* start
      const [events, deliveries, subscriptions] = [yield* WebhookEvents, yield* WebhookDeliveries, yield* WebhookSubscriptions]
      const accountId = yield* newAccount
      const lane = newMatch()
      const id = yield* subscribe(accountId)
      yield* events.write([eventOf(lane, 1), eventOf(lane, 2)])
      const [claimed] = yield* claim(lane)
      const deliveryId = claimed?.deliveries[0]?.deliveryId ?? ""
      const failed = { deliveryId, status: "pending" as const, report: { ...report(1), status: 500 } }
      yield* deliveries.record([result(id, lane, [failed], { failures: 1, dueAt: now + 60_000, error: "answered 500" })])
      assert.deepInclude(Option.getOrThrow(yield* subscriptions.get(accountId, id)), {
        status: "active",
        failedAttempts: 1,
        failingSince: now,
        lastError: "answered 500",
        pending: 2,
      })
      assert.deepInclude(Option.getOrThrow(yield* deliveries.get(accountId, id, deliveryId)), {
        status: "pending",
        nextAttemptAt: now + 60_000,
      })
      assert.deepStrictEqual(yield* claim(lane), [])
      yield* TestClock.adjust("1 minute")
      const [again] = yield* claim(lane)
      assert.deepInclude(again, { failures: 1 })
      assert.deepInclude(again?.deliveries[0], { deliveryId, attempt: 2 })
      yield* deliveries.record([
        result(id, lane, [{ ...failed, status: "failed" }], { dueAt: now + 60_000, error: "answered 500", disable: "failures" }),
      ])
      assert.deepInclude(Option.getOrThrow(yield* subscriptions.get(accountId, id)), {
        status: "disabled",
        statusReason: "failures",
        pending: 1,
      })
      assert.strictEqual(yield* events.write([eventOf(lane, 3)]), 0)
      assert.deepStrictEqual(yield* claim(lane), [])
      const active = Option.getOrThrow(yield* subscriptions.activate(accountId, id))
      assert.deepInclude(active, { status: "active", statusReason: null, failingSince: null, failedAttempts: 0, lastError: null })
      assert.strictEqual((yield* claim(lane))[0]?.deliveries.length, 1)
    }),
  )

  it.effect("limits the lanes of an account that one worker holds", () =>
    Effect.gen(function* () {
      yield* start
      const [events, deliveries] = [yield* WebhookEvents, yield* WebhookDeliveries]
      const [accountId, other] = [yield* newAccount, yield* newAccount]
      const ids = [yield* subscribe(accountId), yield* subscribe(accountId), yield* subscribe(other)]
      yield* events.write([eventOf(newMatch(), 1), eventOf(newMatch(), 1)])
      const terms = { holder: WORKER, lanes: 100, perLane: 10, perSubscription: 10, perAccount: 3, held: new Map(), leaseMs: 60_000 }
      const claims = yield* deliveries.claim({ ...terms, heldByAccount: new Map([[accountId, 2]]) })
      assert.deepStrictEqual(ids.map((id) => claims.filter(({ subscriptionId }) => subscriptionId === id).length).sort(), [0, 1, 2])
      assert.lengthOf(yield* deliveries.claim({ ...terms, heldByAccount: new Map([[accountId, 3]]) }), 0)
    }),
  )

  it.effect("limits the lanes of a subscription that one worker holds", () =>
    Effect.gen(function* () {
      yield* start
      const [events, deliveries] = [yield* WebhookEvents, yield* WebhookDeliveries]
      const accountId = yield* newAccount
      const id = yield* subscribe(accountId)
      const lanes = [newMatch(), newMatch(), newMatch()]
      yield* events.write(lanes.map((lane) => eventOf(lane, 1)))
      const take = (held: ReadonlyMap<string, number>) =>
        Effect.map(
          deliveries.claim({
            holder: WORKER,
            lanes: 100,
            perLane: 10,
            perSubscription: 2,
            perAccount: 100,
            held,
            heldByAccount: new Map(),
            leaseMs: 60_000,
          }),
          (claims) => claims.filter(({ subscriptionId }) => subscriptionId === id).length,
        )
      assert.strictEqual(yield* take(new Map([[id, 2]])), 0)
      assert.strictEqual(yield* take(new Map([[id, 1]])), 1)
      assert.strictEqual(yield* take(new Map()), 2)
    }),
  )
}
