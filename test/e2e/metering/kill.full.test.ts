/**
 * Tests a gateway that is killed with -9 under load and restarted: two processes on one database, with customers that
 * send requests to both as fast as they can. The gateways never serve more than the quota. The bill equals the served
 * requests, except those the killed gateway had not reported.
 */
import { assert, describe, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { type AccountId, termsOf } from "@matchpoint/domain/accounts"
import { leaseSize } from "@matchpoint/domain/metering/leases"
import { Migrations } from "@matchpoint/games/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { UsageLedger } from "@matchpoint/store/usage/UsageLedger"
import { temporaryDatabase } from "@matchpoint/testing/databases"
import { Context, Effect, Fiber, Layer, Option, Redacted, Schedule } from "effect"
import { Pool } from "undici"
import { inject } from "vitest"
import { Standalone } from "../../fixtures/Standalone.ts"

const databaseUrl = inject("databaseUrl")

/** Concurrent requests of one customer to one gateway. */
const AT_ONCE = 4
/** Pause after a refusal, in milliseconds. After `REFUSALS` refusals in a row the customer has nothing left. */
const ASK_AGAIN_MS = 600
const REFUSALS = 4

interface Customer {
  readonly accountId: AccountId
  readonly secret: string
  readonly quota: number
  /** Number of 2xx responses by gateway. */
  readonly servedBy: Map<string, number>
  /** Number of aborted requests. They may have been served. */
  unknown: number
  /** Unexpected responses. */
  readonly unexpected: Array<string>
}

/** Most requests leased to a killed gateway that it had not reported: its lease and the pending requests. */
const lostAtMost = ({ quota }: Customer) => leaseSize(quota) + AT_ONCE

const servedTo = ({ servedBy }: Customer): number => [...servedBy.values()].reduce((sum, count) => sum + count, 0)

/** Sends requests to one gateway until it refuses repeatedly because the month is used up, or until `isOver`. */
const requestUntilUsedUp = async (url: string, customer: Customer, isOver: () => boolean): Promise<void> => {
  const pool = new Pool(url, { connections: 1, headersTimeout: 10_000, bodyTimeout: 10_000 })
  const headers = { "x-api-key": customer.secret }
  let refusals = 0
  while (refusals < REFUSALS && !isOver()) {
    try {
      const { body, statusCode } = await pool.request({ path: `${API_ROOT}/cs2/live`, method: "GET", headers })
      const text = await body.text()
      if (statusCode === 200) {
        customer.servedBy.set(url, (customer.servedBy.get(url) ?? 0) + 1)
        refusals = 0
      } else if (statusCode === 429 && text.includes('"requests_per_month"')) {
        refusals += 1
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
      } else customer.unexpected.push(`${statusCode} ${text}`)
    } catch (error) {
      // The gateway died. While it does not listen no request reaches it, so only requests in flight are in doubt.
      customer.unknown += isRefused(error) ? 0 : 1
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await pool.destroy()
}

const isRefused = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ECONNREFUSED"

const until = (what: string, holds: () => boolean) =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail(what))).pipe(
    Effect.retry(Schedule.spaced("5 millis")),
    Effect.timeout("30 seconds"),
    Effect.orDie,
  )

const storeOn = (url: Redacted.Redacted<string>) =>
  Layer.mergeAll(KeyRegister.layer, UsageLedger.layer).pipe(
    Layer.provideMerge(Accounts.layer),
    Layer.provide(Migrations.layer),
    Layer.provide(Postgres.layer({ url, maxConnections: 2 })),
  )

const gatewayOn = (url: Redacted.Redacted<string>) =>
  Effect.map(
    Layer.build(Layer.fresh(Standalone.layer({ matches: 0, speed: 1, env: { DATABASE_URL: Redacted.value(url) } }))),
    Context.get(Standalone),
  )

const customerOf = Effect.fnUntraced(function* (quota: number) {
  const secret = `mp_test_${quota}`
  const terms = termsOf("pro", { requestsPerMonth: quota, requestsPerSecond: 100_000 })
  const keys = yield* KeyRegister
  const { accountId } = yield* keys.put({ secret: Redacted.make(secret), label: secret, terms })
  const customer: Customer = { accountId, secret, quota, servedBy: new Map(), unknown: 0, unexpected: [] }
  return customer
})

describe.skipIf(databaseUrl === null)("two gateways on one database, one of them killed (needs DATABASE_URL)", () => {
  it.live(
    "serve no more than the quota and bill what they served",
    () =>
      Effect.gen(function* () {
        const url = yield* temporaryDatabase(databaseUrl ?? "")
        yield* Effect.gen(function* () {
          const usage = yield* UsageLedger
          /** Quotas with leases of one, of two and of a hundred requests. The last is not used up here. */
          const exact = yield* customerOf(300)
          const small = yield* customerOf(20_000)
          const large = yield* customerOf(1_000_000)
          const customers = [exact, small, large]

          const [first, second] = yield* Effect.all([gatewayOn(url), gatewayOn(url)], { concurrency: 2 })
          let isOver = false
          const asking = yield* Effect.forEach(
            customers.flatMap((customer) =>
              [first.url, second.url].flatMap((at) => Array.from({ length: AT_ONCE }, () => ({ at, customer }))),
            ),
            ({ at, customer }) => Effect.promise(() => requestUntilUsedUp(at, customer, () => isOver && customer !== exact)),
            { concurrency: "unbounded", discard: true },
          ).pipe(Effect.forkChild)

          yield* until("all customers are being served", () =>
            customers.every((customer) => servedTo(customer) > Math.min(100, customer.quota / 3)),
          )
          yield* second.kill
          assert.isBelow(servedTo(exact), exact.quota, "the gateway was killed before the quota was used up")
          const before = large.servedBy.get(second.url) ?? 0
          yield* second.start
          yield* until("the restarted gateway serves requests", () => (large.servedBy.get(second.url) ?? 0) > before + 500)
          isOver = true
          yield* Fiber.join(asking)
          // A gateway reports what it has served before it stops.
          yield* Effect.all([first.stop, second.stop], { concurrency: 2 })

          for (const customer of customers) {
            const month = Option.getOrThrow(yield* usage.month(customer.accountId, undefined))
            const served = servedTo(customer)
            const billed = month.requests + month.streamTicks
            const name = `quota ${customer.quota}: served ${served}, in doubt ${customer.unknown}, billed ${billed}, leased ${month.granted}`
            assert.deepStrictEqual(customer.unexpected, [], name)
            assert.isAtMost(served, customer.quota, name)
            assert.isAtMost(month.granted, customer.quota, name)
            assert.isAtMost(billed, served + customer.unknown, name)
            assert.isAtMost(served - billed, lostAtMost(customer), name)
            // Requests that were leased and neither served nor returned were lost with the gateway.
            assert.isAtMost(month.granted - billed, lostAtMost(customer), name)
          }
          assert.isAtLeast(servedTo(exact), exact.quota - lostAtMost(exact), "the rest of the quota was served")
        }).pipe(Effect.provide(storeOn(url)))
      }).pipe(Effect.scoped),
    90_000,
  )
})
