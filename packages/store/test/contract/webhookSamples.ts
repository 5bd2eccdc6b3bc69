/** Accounts, subscriptions, events and results that the contracts of webhooks share. */
import { assert } from "@effect/vitest"
import { type AccountId, termsOf } from "@matchpoint/domain/accounts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/keys/Accounts.ts"
import { type AttemptReport, type LaneResult, WebhookDeliveries } from "../../src/webhooks/WebhookDeliveries.ts"
import type { NewWebhookEvent, WebhookEvents } from "../../src/webhooks/WebhookEvents.ts"
import { type NewSubscription, type SubscriptionSettings, WebhookSubscriptions } from "../../src/webhooks/WebhookSubscriptions.ts"
import type { WebhookWakeups } from "../../src/webhooks/WebhookWakeups.ts"

export type Stores = SqlClient.SqlClient | Accounts | WebhookDeliveries | WebhookEvents | WebhookSubscriptions | WebhookWakeups

export const settings: SubscriptionSettings = {
  url: "https://example.com/hook",
  description: "test",
  events: ["go.move"],
  games: [],
  matchIds: [],
  teamIds: [],
  playerIds: [],
  maxPerSecond: null,
}

export const secret = new TextEncoder().encode("encrypted")

let created = 0
export const subscription = (changes: Partial<SubscriptionSettings> = {}): NewSubscription => {
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
export const newMatch = () => {
  matches += 1
  return `go-match-${9_000 + matches}`
}

export const eventOf = (lane: string, seq: number, changes: Partial<NewWebhookEvent> = {}): NewWebhookEvent => ({
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
export const start = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM webhook_subscriptions`
  return yield* Clock.currentTimeMillis
})

export const newAccount = Effect.map(
  Effect.flatMap(Accounts, (accounts) => accounts.create("customer", termsOf("pro"))),
  ({ accountId }) => accountId,
)

export const subscribe = Effect.fnUntraced(function* (accountId: AccountId, changes: Partial<SubscriptionSettings> = {}) {
  const subscriptions = yield* WebhookSubscriptions
  const creation = yield* subscriptions.create(accountId, subscription(changes), 10)
  assert(creation._tag === "Created")
  return creation.subscription.subscriptionId
})

export const WORKER = "00000000-0000-4000-8000-00000000aaaa"
export const OTHER_WORKER = "00000000-0000-4000-8000-00000000bbbb"

/** Claims the lanes of a match only. The contract shares its database with other suites. */
export const claim = Effect.fnUntraced(function* (lane: string, worker = WORKER, held: ReadonlyMap<string, number> = new Map()) {
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

export const report = (attempt: number): AttemptReport => ({ at: 5, attempt, durationMs: 3, status: 200, error: null, response: "ok" })

export const result = (
  subscriptionId: string,
  lane: string,
  results: LaneResult["results"],
  changes: Partial<LaneResult> = {},
): LaneResult => ({
  subscriptionId,
  lane,
  results,
  failures: 0,
  holder: WORKER,
  activations: 0,
  dueAt: 0,
  error: null,
  disable: null,
  ...changes,
})
