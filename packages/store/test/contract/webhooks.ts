import { assert, type Vitest } from "@effect/vitest"
import { AccountId, termsOf } from "@matchpoint/domain/accounts"
import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../src/keys/Accounts.ts"
import { type AttemptReport, type LaneResult, WebhookDeliveries } from "../../src/webhooks/WebhookDeliveries.ts"
import { type NewWebhookEvent, WebhookEvents } from "../../src/webhooks/WebhookEvents.ts"
import { type NewSubscription, type SubscriptionSettings, WebhookSubscriptions } from "../../src/webhooks/WebhookSubscriptions.ts"
import { WebhookWakeups } from "../../src/webhooks/WebhookWakeups.ts"

type Stores = SqlClient.SqlClient | Accounts | WebhookDeliveries | WebhookEvents | WebhookSubscriptions | WebhookWakeups

const settings: SubscriptionSettings = {
  url: "https://example.com/hook",
  description: "test",
  events: ["go.move"],
  games: [],
  matchIds: [],
  teamIds: [],
  playerIds: [],
  maxPerSecond: null,
}

const secret = new TextEncoder().encode("encrypted")

let created = 0
const subscription = (changes: Partial<SubscriptionSettings> = {}): NewSubscription => {
  created += 1
  return {
    ...settings,
    ...changes,
    subscriptionId: `00000000-0000-4000-9000-${String(created).padStart(12, "0")}`,
    secret,
    idempotency: undefined,
  }
}

let matches = 0
const newMatch = () => {
  matches += 1
  return `go-match-${9_000 + matches}`
}

const eventOf = (lane: string, seq: number, changes: Partial<NewWebhookEvent> = {}): NewWebhookEvent => ({
  eventId: `evt_${lane}.1.${seq}.go.move`,
  name: "go.move",
  game: "go",
  lane,
  epoch: 1,
  seq,
  place: 0,
  teamIds: ["black"],
  playerIds: [],
  occurredAt: 1_000 + seq,
  data: `{"seq":${seq}}`,
  ...changes,
})

/** Tests share a database and a clock. Each starts without subscriptions and returns the current time. */
const start = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM webhook_subscriptions`
  return yield* Clock.currentTimeMillis
})

const newAccount = Effect.map(
  Effect.flatMap(Accounts, (accounts) => accounts.create("customer", termsOf("pro"))),
  ({ accountId }) => accountId,
)

const subscribe = Effect.fnUntraced(function* (accountId: AccountId, changes: Partial<SubscriptionSettings> = {}) {
  const subscriptions = yield* WebhookSubscriptions
  const creation = yield* subscriptions.create(accountId, subscription(changes), 10)
  assert(creation._tag === "Created")
  return creation.subscription.subscriptionId
})

const WORKER = "00000000-0000-4000-8000-00000000aaaa"
const OTHER_WORKER = "00000000-0000-4000-8000-00000000bbbb"

/** Claims the lanes of a match only. The contract shares its database with other suites. */
const claim = Effect.fnUntraced(function* (lane: string, worker = WORKER, held: ReadonlyMap<string, number> = new Map()) {
  const deliveries = yield* WebhookDeliveries
  const claims = yield* deliveries.claim({
    holder: worker,
    lanes: 100,
    perLane: 10,
    perSubscription: 2,
    perAccount: 100,
    held,
    heldByAccount: new Map(),
    leaseMs: 60_000,
  })
  return claims.filter((one) => one.lane === lane)
})

const report = (attempt: number): AttemptReport => ({ at: 5, attempt, durationMs: 3, status: 200, error: null, response: "ok" })

const result = (subscriptionId: string, lane: string, results: LaneResult["results"], changes: Partial<LaneResult> = {}): LaneResult => ({
  subscriptionId,
  lane,
  results,
  failures: 0,
  holder: WORKER,
  dueAt: 0,
  error: null,
  disable: null,
  ...changes,
})

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
