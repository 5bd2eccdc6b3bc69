// Owns the database of the webhooks benchmark: webhooks for the receivers, and writing of events.
import { termsOf } from "@matchpoint/domain/accounts"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { type NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { SecretBox } from "@matchpoint/webhooks/SecretBox"
import { newSecret } from "@matchpoint/webhooks/signatures"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** Key that encrypts the secrets of the benchmark's webhooks. */
export const BENCH_KEY = "the key of the webhooks benchmark"

const EVENT = "bench.kill"
const EVENTS_AT_ONCE = 500

export const matchOf = (index: number): string => `bench-match-${index + 1}`

/** Creates one webhook per port. Match m is sent to the webhook m modulo their number. */
export const subscribe = Effect.fnUntraced(function* (ports: ReadonlyArray<number>, matches: number) {
  const accounts = yield* Accounts
  const subscriptions = yield* WebhookSubscriptions
  const box = new SecretBox([Redacted.make(BENCH_KEY)])
  for (const [index, port] of ports.entries()) {
    const { accountId } = yield* accounts.create("bench", termsOf("pro"))
    const subscriptionId = `00000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`
    yield* subscriptions.create(
      accountId,
      {
        subscriptionId,
        url: `http://127.0.0.1:${port}/hook`,
        description: "",
        events: [EVENT],
        games: [],
        matchIds: Array.from({ length: matches }, (_, match) => match)
          .filter((match) => match % ports.length === index)
          .map(matchOf),
        teamIds: [],
        playerIds: [],
        maxPerSecond: null,
        secret: box.seal(subscriptionId, Redacted.make(newSecret())),
        idempotency: undefined,
      },
      1,
    )
  }
})

let written = 0

const eventOf = (match: number, isMeasured: boolean): NewWebhookEvent => {
  written += 1
  return {
    eventId: `evt_${matchOf(match)}.1.${written}.${EVENT}`,
    name: EVENT,
    game: "bench",
    lane: matchOf(match),
    epoch: 1,
    seq: written,
    place: 0,
    teamIds: ["one", "two"],
    playerIds: [],
    occurredAt: Date.now(),
    // As large as a kill in CS2.
    data: JSON.stringify({ ...(isMeasured ? { createdAt: Date.now() } : {}), filler: "x".repeat(350) }),
  }
}

/** Writes events of the given matches, as the outbox does. Receivers measure the delay of measured events. */
export const write = Effect.fnUntraced(function* (matches: ReadonlyArray<number>, isMeasured = true) {
  const events = yield* WebhookEvents
  for (let from = 0; from < matches.length; from += EVENTS_AT_ONCE) {
    yield* events.write(matches.slice(from, from + EVENTS_AT_ONCE).map((match) => eventOf(match, isMeasured)))
  }
})

/** Writes `rate` events per second for `seconds`, every 20 ms, spread over matches `from` to `to`. */
export const writePaced = Effect.fnUntraced(function* (rate: number, seconds: number, from: number, to: number) {
  const startedAt = performance.now()
  let done = 0
  while (done < rate * seconds) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - startedAt) / 1_000) * rate))
    yield* write(Array.from({ length: due - done }, (_, index) => from + ((done + index) % (to - from))))
    done = due
    yield* Effect.sleep("20 millis")
  }
})

/** Deletes deliveries, lanes and events, makes every webhook active and lets PostgreSQL update its statistics. */
export const clear = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE webhook_deliveries, webhook_lanes, webhook_events`
  yield* sql`UPDATE webhook_subscriptions SET status = 'active', status_reason = NULL, failing_since = NULL, failed_attempts = 0`
  yield* sql`VACUUM ANALYZE webhook_deliveries, webhook_lanes, webhook_events`
})

export const pending = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT coalesce(sum(pending), 0)::integer AS count FROM webhook_lanes`
  return Number(rows[0]?.["count"] ?? 0)
})
