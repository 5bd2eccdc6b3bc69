/**
 * Tests PostgreSQL behind PgBouncer in transaction mode: the repositories of 100 gateways share a few sessions, and
 * transactions, advisory locks, timeouts and wakeups of webhook workers work.
 */
import { assert, describe, it } from "@effect/vitest"
import { termsOf } from "@matchpoint/domain/accounts"
import { postgresStore } from "@matchpoint/games/postgresStore"
import { DatabaseProbe } from "@matchpoint/store/database/DatabaseProbe"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { WebhookWakeups } from "@matchpoint/store/webhooks/WebhookWakeups"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { pgbouncer, pgbouncerMissing } from "../../fixtures/processes/pgbouncer.ts"

const databaseUrl = inject("databaseUrl")

const GATEWAYS = 100
/** Sessions of the pooler. Far fewer than the connections of all gateways. */
const SESSIONS = 8

if (pgbouncerMissing !== undefined) process.stdout.write(`skipped: pooler.full.test.ts. ${pgbouncerMissing}\n`)

const storeAt = (url: string, databasePooler: "none" | "transaction") =>
  Layer.build(Layer.fresh(postgresStore({ databaseUrl: Redacted.make(url), databaseConnections: 4, databasePooler })))

describe.skipIf(databaseUrl === null || pgbouncerMissing !== undefined)("PgBouncer in transaction mode", () => {
  it.live(
    "serves 100 gateways with 8 sessions",
    () =>
      Effect.gen(function* () {
        const direct = Redacted.value(yield* temporaryDatabase(databaseUrl ?? ""))
        const pooled = yield* pgbouncer(direct, yield* temporaryDirectory, SESSIONS)
        const gateways = yield* Effect.forEach(
          Array.from({ length: GATEWAYS }, (_, at) => at),
          () => storeAt(pooled, "transaction"),
          { concurrency: 10 },
        )
        // Each gateway registers a key in a transaction with an advisory lock, and finds the key of another gateway.
        const secretOf = (at: number) => Redacted.make(`mp_test_pooled_${at}`)
        yield* Effect.forEach(
          gateways,
          (gateway, at) =>
            Effect.gen(function* () {
              yield* (yield* DatabaseProbe).check
              yield* (yield* KeyRegister).put({ secret: secretOf(at), terms: termsOf("pro"), label: `gateway ${at}` })
            }).pipe(Effect.provideContext(gateway)),
          { concurrency: "unbounded", discard: true },
        )
        const found = yield* Effect.forEach(
          gateways,
          (gateway, at) =>
            Effect.provideContext(
              Effect.flatMap(ApiKeys, (keys) => keys.verify(secretOf((at + 1) % GATEWAYS))),
              gateway,
            ),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(
          found.filter(({ _tag }) => _tag === "Some"),
          GATEWAYS,
        )

        // A worker that connects directly is woken by a gateway behind the pooler.
        const worker = yield* storeAt(direct, "none")
        const woken = yield* Context.get(worker, WebhookWakeups).subscribe
        const waiting = yield* Effect.forkScoped(Effect.timeout(woken, "10 seconds"))
        const first = gateways[0]
        if (first === undefined) return assert.fail("no gateway")
        yield* Effect.raceFirst(Fiber.join(waiting), Effect.forever(Effect.delay(Context.get(first, WebhookWakeups).wake, "200 millis")))
      }),
    120_000,
  )

  it.live(
    "refuses the settings of a session, so that the setting of the pooler is necessary",
    () =>
      Effect.gen(function* () {
        const direct = Redacted.value(yield* temporaryDatabase(databaseUrl ?? ""))
        const pooled = yield* pgbouncer(direct, yield* temporaryDirectory, SESSIONS)
        const error = yield* Effect.flip(storeAt(pooled, "none"))
        assert.include(error.message, "unsupported startup parameter")
      }),
    60_000,
  )
})
