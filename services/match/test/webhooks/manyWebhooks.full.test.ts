/** Tests the writer of webhook events with a real database whose statements are limited in time. */
import { assert, describe, it } from "@effect/vitest"
import { termsOf } from "@matchpoint/domain/accounts"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { webhookRepositories } from "@matchpoint/store/ServiceRepositories"
import { type NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { WebhookWakeups } from "@matchpoint/store/webhooks/WebhookWakeups"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { EventWriter } from "../../src/webhooks/EventWriter.ts"

const url = inject("databaseUrl")

const [ACCOUNTS, WEBHOOKS_PER_ACCOUNT, EVENTS] = [8, 50, 500]

/** A statement with all deliveries takes three to six times as long. */
const STATEMENT_TIMEOUT = "1 second"

const stores = (database: string) =>
  Layer.unwrap(
    Effect.map(temporaryDatabase(database), (own) =>
      Layer.mergeAll(webhookRepositories, Accounts.layer).pipe(
        Layer.provide(WebhookWakeups.layerLocal),
        Layer.provideMerge(Postgres.layer({ url: own, statementTimeout: STATEMENT_TIMEOUT })),
      ),
    ),
  )

const subscribeAll = Effect.gen(function* () {
  const [accounts, subscriptions] = [yield* Accounts, yield* WebhookSubscriptions]
  const filters = { games: [], matchIds: [], teamIds: [], playerIds: [] }
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const { accountId } = yield* accounts.create("customer", termsOf("pro"))
    for (let webhook = 0; webhook < WEBHOOKS_PER_ACCOUNT; webhook += 1) {
      const own = { subscriptionId: crypto.randomUUID(), url: "https://example.com/hook", description: "", events: ["go.move"] }
      const rest = { ...filters, maxPerSecond: null, secret: new Uint8Array(8), idempotency: undefined }
      yield* subscriptions.create(accountId, { ...own, ...rest }, WEBHOOKS_PER_ACCOUNT)
    }
  }
})

const events = Array.from({ length: EVENTS }, (_, seq): NewWebhookEvent => {
  const lane = `go-match-${seq % 100}`
  const data = JSON.stringify({ filler: "x".repeat(350) })
  const place = { lane, epoch: 1, seq, place: 0, teamIds: ["black"], playerIds: [], occurredAt: 1_000 + seq }
  return { eventId: `evt_${lane}.1.${seq}.go.move`, name: "go.move", game: "go", ...place, data }
})

describe.skipIf(url === null)("400 webhooks that match every event", () => {
  it.live("receive 500 events, although one statement cannot queue them in time", () =>
    Effect.gen(function* () {
      yield* subscribeAll
      const stored = yield* WebhookEvents
      const sql = yield* SqlClient.SqlClient
      const all = ACCOUNTS * WEBHOOKS_PER_ACCOUNT * EVENTS
      assert.isTrue((yield* Effect.flip(stored.writeSome(events, all))).isTimeout)
      const writer = new EventWriter(stored)
      yield* writer.write(events)
      const [counts] = yield* sql`
        SELECT count(*)::integer AS deliveries, count(DISTINCT (subscription_id, event_id))::integer AS different,
          (SELECT sum(pending)::integer FROM webhook_lanes) AS pending,
          (SELECT count(*)::integer FROM webhook_events WHERE queued_to IS NOT NULL) AS parts
        FROM webhook_deliveries`
      assert.deepStrictEqual(counts, { deliveries: all, different: all, pending: all, parts: 0 })
    }).pipe(Effect.provide(stores(url ?? ""))),
  )
})
