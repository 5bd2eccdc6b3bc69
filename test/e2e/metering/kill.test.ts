/**
 * A gateway is killed with -9 under load, and comes back: two processes on one database, customers who ask both as fast as they can. Never
 * more is served than the quota has, and the bill is what was served, but for what the killed gateway had not said.
 */

import { assert, describe, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { type AccountId, termsOf } from "@matchpoint/domain/accounts"
import { leaseSize } from "@matchpoint/domain/metering/leases"
import { Migrations } from "@matchpoint/store/database/Migrations"
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

/** Requests of one customer that wait for one gateway at a time. */
const AT_ONCE = 4
/** A gateway that has refused is asked again after this; who is refused so often in a row has nothing left. */
const ASK_AGAIN_MS = 600
const REFUSALS = 4

interface Customer {
  readonly accountId: AccountId
  readonly secret: string
  readonly quota: number
  /** Answers 2xx, by gateway. */
  readonly servedBy: Map<string, number>
  /** Of requests that broke off: they may have been served. */
  unknown: number
  /** What should not have happened. */
  readonly surprises: Array<string>
}

/** Requests given out to a killed gateway beyond what it had said: its lease, and whoever waited. */
const lostAtMost = ({ quota }: Customer) => leaseSize(quota) + AT_ONCE

const servedTo = ({ servedBy }: Customer): number => [...servedBy.values()].reduce((sum, count) => sum + count, 0)

/** Asks one gateway until it says again and again that the month is used up, or until `isOver`. */
const insist = async (url: string, customer: Customer, isOver: () => boolean): Promise<void> => {
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
      } else customer.surprises.push(`${statusCode} ${text}`)
    } catch (error) {
      // The gateway died. Nothing is asked of it while nobody listens, so only what was on its way is in doubt.
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

const StoreOf = (url: Redacted.Redacted<string>) =>
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
  const customer: Customer = { accountId, secret, quota, servedBy: new Map(), unknown: 0, surprises: [] }
  return customer
})

describe.skipIf(databaseUrl === null)("two gateways on one database, one of them killed (needs DATABASE_URL)", () => {
  it.live(
    "serve no more than the quota, and bill what they served",
    () =>
      Effect.gen(function* () {
        const url = yield* temporaryDatabase(databaseUrl ?? "")
        yield* Effect.gen(function* () {
          const usage = yield* UsageLedger
          /** Request by request; leases of two; leases of a hundred, which nobody uses up here. */
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
            ({ at, customer }) => Effect.promise(() => insist(at, customer, () => isOver && customer !== exact)),
            { concurrency: "unbounded", discard: true },
          ).pipe(Effect.forkChild)

          yield* until("everybody is being served", () =>
            customers.every((customer) => servedTo(customer) > Math.min(100, customer.quota / 3)),
          )
          yield* second.kill
          assert.isBelow(servedTo(exact), exact.quota, "it was killed in the middle")
          const before = large.servedBy.get(second.url) ?? 0
          yield* second.start
          yield* until("it serves again", () => (large.servedBy.get(second.url) ?? 0) > before + 500)
          isOver = true
          yield* Fiber.join(asking)
          // Their last word is what they served.
          yield* Effect.all([first.stop, second.stop], { concurrency: 2 })

          for (const customer of customers) {
            const month = Option.getOrThrow(yield* usage.month(customer.accountId, undefined))
            const served = servedTo(customer)
            const billed = month.requests + month.streamTicks
            const name = `quota ${customer.quota}: served ${served}, in doubt ${customer.unknown}, billed ${billed}, given out ${month.granted}`
            assert.deepStrictEqual(customer.surprises, [], name)
            assert.isAtMost(served, customer.quota, name)
            assert.isAtMost(month.granted, customer.quota, name)
            assert.isAtMost(billed, served + customer.unknown, name)
            assert.isAtMost(served - billed, lostAtMost(customer), name)
            // What was given out and neither served nor given back was lost with the gateway.
            assert.isAtMost(month.granted - billed, lostAtMost(customer), name)
          }
          assert.isAtLeast(servedTo(exact), exact.quota - lostAtMost(exact), "the rest of the quota was served")
        }).pipe(Effect.provide(StoreOf(url)))
      }).pipe(Effect.scoped),
    90_000,
  )
})
