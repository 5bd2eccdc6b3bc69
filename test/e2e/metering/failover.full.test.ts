/**
 * Tests two server processes on one database: the limit of connections holds on both together, and a client that
 * reconnects because its server was killed or shut down pays no second connect. Runs with the counts in PostgreSQL and,
 * if `REDIS_URL` is set, with those in Redis.
 */
import { assert, describe, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { termsOf } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { Migrations } from "@matchpoint/games/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { UsageLedger } from "@matchpoint/store/usage/UsageLedger"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"

const databaseUrl = inject("databaseUrl")
const redisUrl = inject("redisUrl")

const storeOn = (url: Redacted.Redacted<string>) =>
  Layer.mergeAll(KeyRegister.layer, UsageLedger.layer).pipe(
    Layer.provideMerge(Accounts.layer),
    Layer.provide(Migrations.layer),
    Layer.provide(Postgres.layer({ url, maxConnections: 2 })),
  )

/** Opens a stream of all matches and returns once the server has greeted it. It stays open until the scope closes. */
const openStream = (url: string, secret: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const abort = new AbortController()
      const response = await fetch(`${url}${API_ROOT}/live/stream`, { headers: { "x-api-key": secret }, signal: abort.signal })
      await response.body?.getReader().read()
      return { status: response.status, abort }
    }),
    ({ abort }) => Effect.sync(() => abort.abort()),
  )

const openMany = (url: string, secret: string, many: number) =>
  Effect.forEach(Array.from({ length: many }), () => openStream(url, secret), { concurrency: "unbounded" })

const statuses = (opened: ReadonlyArray<{ readonly status: number }>) => opened.map(({ status }) => status).sort()

// At the same time, because each waits for a minute.
describe.skipIf(databaseUrl === null).concurrent("two gateways on one database (needs DATABASE_URL)", () => {
  const drivers: ReadonlyArray<readonly [name: string, env: Record<string, string>]> = [
    ["PostgreSQL", {}],
    ...(redisUrl === null ? [] : [["Redis", { REDIS_URL: redisUrl }] as const]),
  ]
  for (const [name, env] of drivers) {
    it.live(
      `share the limit of connections and bill no second connect after a failover or a shutdown (counts in ${name})`,
      () =>
        Effect.gen(function* () {
          const url = yield* temporaryDatabase(databaseUrl ?? "")
          const server = Layer.fresh(Standalone.layer({ matches: 0, speed: 1, env: { DATABASE_URL: Redacted.value(url), ...env } }))
          yield* Effect.gen(function* () {
            const keys = yield* KeyRegister
            const usage = yield* UsageLedger
            const customerOf = (plan: "free" | "pro", requestsPerMonth: number) => {
              const secret = Redacted.make(`mp_test_${plan}_${name}`)
              return keys.put({ secret, label: plan, terms: termsOf(plan, { requestsPerMonth }) })
            }
            yield* customerOf("free", 500)
            const moving = yield* customerOf("pro", 1_000_000)
            const secretOf = (plan: "free" | "pro") => `mp_test_${plan}_${name}`
            const ticks = Effect.map(usage.month(moving.accountId, undefined), (month) => Option.getOrThrow(month).streamTicks)

            const [first, second] = yield* Effect.all(
              [Layer.build(server), Layer.build(server)].map((built) => Effect.map(built, Context.get(Standalone))),
              { concurrency: 2 },
            )
            assert.isDefined(first)
            assert.isDefined(second)

            // The limit holds on both servers together, also for handshakes at the same moment.
            const limit = planTerms.free.connections
            yield* Effect.gen(function* () {
              const opened = yield* Effect.all(
                [openMany(first.url, secretOf("free"), limit), openMany(second.url, secretOf("free"), limit)],
                { concurrency: 2 },
              )
              assert.deepStrictEqual(statuses(opened.flat()), [...Array(limit).fill(200), ...Array(limit).fill(429)])
            }).pipe(Effect.scoped)
            yield* Effect.sleep("1 second")
            yield* Effect.gen(function* () {
              assert.deepStrictEqual(statuses(yield* openMany(second.url, secretOf("free"), limit)), Array(limit).fill(200))
            }).pipe(Effect.scoped)

            // Killed: the streams are opened at the other server at once, before that server can know.
            yield* Effect.gen(function* () {
              yield* openMany(second.url, secretOf("pro"), 3)
              yield* Effect.sleep("4 seconds")
              assert.strictEqual(yield* ticks, 3)
              yield* second.kill
              assert.deepStrictEqual(statuses(yield* openMany(first.url, secretOf("pro"), 4)), [200, 200, 200, 200])
              // Two billing intervals, of which the first one is free for the three streams that continue.
              yield* Effect.sleep("32 seconds")
            }).pipe(Effect.scoped)
            yield* Effect.sleep("4 seconds")
            assert.strictEqual(yield* ticks, 3 + 3 * 2 + 3)

            // Shut down: the other server knows it at the connect.
            yield* second.start
            yield* Effect.gen(function* () {
              yield* openMany(first.url, secretOf("pro"), 3)
              yield* Effect.sleep("4 seconds")
              assert.strictEqual(yield* ticks, 12 + 3)
              yield* first.stop
              yield* openMany(second.url, secretOf("pro"), 4)
              yield* Effect.sleep("4 seconds")
            }).pipe(Effect.scoped)
            yield* second.stop
            assert.strictEqual(yield* ticks, 12 + 3 + 1)
          }).pipe(Effect.provide(storeOn(url)))
        }).pipe(Effect.scoped),
      180_000,
    )
  }
})
