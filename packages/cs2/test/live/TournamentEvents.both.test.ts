import { assert, layer } from "@effect/vitest"
import { termsOf } from "@matchpoint/domain/accounts"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { reportTournaments } from "../../src/live/TournamentEvents.ts"

const NOW = Date.parse("2026-11-24T12:00:00Z")
const HOUR_MS = 3_600_000
const at = (hours: number): Date => new Date(NOW + hours * HOUR_MS)

/** Events are stored only if there is a webhook for them. */
const subscribed = Effect.gen(function* () {
  const { accountId } = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("customer", termsOf("pro")))
  const subscriptions = yield* WebhookSubscriptions
  yield* subscriptions.create(
    accountId,
    {
      subscriptionId: "00000000-0000-4000-b000-000000000001",
      ...{ url: "https://example.com/", description: "", games: [], matchIds: [], teamIds: [], playerIds: [], maxPerSecond: null },
      events: ["tournament.started", "tournament.ended"],
      secret: new Uint8Array([1]),
      idempotency: undefined,
    },
    1,
  )
})

onDatabaseOfRun((name, database) => {
  layer(Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(database)), { timeout: "60 seconds" })(
    `tournament events on ${name}`,
    (it) => {
      it.effect("reports each recent start and end once, and no old or future ones", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(NOW)
          const sql = yield* SqlClient.SqlClient
          yield* subscribed
          const add = (event: string, from: Date, to: Date | null) => sql`
            INSERT INTO cs2_events (name, name_key, slug, starts_at, ends_at, source)
            VALUES (${event}, ${event}, ${event}, ${from}, ${to}, 'test')`
          yield* add("old", at(-400), at(-300))
          yield* add("running", at(-30), at(20))
          yield* add("ended", at(-100), at(-1))
          yield* add("future", at(1), null)
          const stored = Effect.map(
            sql<{ readonly name: string; readonly data: string }>`SELECT name, data FROM webhook_events ORDER BY occurred_at`,
            (rows) => rows.map(({ data, name: event }) => [event, JSON.parse(data).slug]),
          )
          yield* reportTournaments
          yield* reportTournaments
          assert.deepStrictEqual(yield* stored, [
            ["tournament.started", "running"],
            ["tournament.ended", "ended"],
          ])
          yield* TestClock.adjust("21 hours")
          yield* reportTournaments
          assert.sameDeepMembers((yield* stored).slice(2), [
            ["tournament.started", "future"],
            ["tournament.ended", "running"],
          ])
        }),
      )
    },
  )
})
