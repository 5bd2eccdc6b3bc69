/** Ledgers under test, with queries for the stored data of an account. */
import { AccountId, type Terms } from "@matchpoint/domain/accounts"
import type { Period } from "@matchpoint/domain/metering/periods"
import { Migrations } from "@matchpoint/games/Migrations"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { LedgerTime } from "@matchpoint/store/usage/LedgerTime"
import { UsageLedger } from "@matchpoint/store/usage/UsageLedger"
import { Context, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql"
import { type Ledger, LedgerError } from "../src/Ledger.ts"
import { LedgerBook } from "../src/LedgerMemory.ts"
import { uuidOf } from "../src/uuidOf.ts"

/** One month of an account. */
export interface StoredMonth {
  readonly given: number
  readonly requests: number
  readonly ticks: number
  /** Ticks according to the receipts. */
  readonly receiptTicks: number
}

export interface StoredLeaseUse {
  readonly leaseId: string
  readonly period: Period
  readonly size: number
  /** Requests and ticks billed from the lease. */
  readonly used: number
}

export class Books extends Context.Service<
  Books,
  {
    /** Sets the ledger's clock; epoch milliseconds. */
    readonly setTime: (now: () => number) => void
    readonly settle: Ledger["Service"]["settle"]
    readonly open: (terms: Terms) => Effect.Effect<AccountId>
    readonly change: (accountId: AccountId, terms: Terms) => Effect.Effect<void>
    readonly months: (accountId: AccountId) => Effect.Effect<ReadonlyMap<Period, StoredMonth>>
    readonly leases: (accountId: AccountId) => Effect.Effect<ReadonlyArray<StoredLeaseUse>>
  }
>()("@matchpoint/metering/test/Books") {
  static readonly layerMemory = Layer.effect(
    Books,
    Effect.gen(function* () {
      const random = yield* Random.Random
      const quotas = new Map<AccountId, number>()
      let book = new LedgerBook((accountId) => quotas.get(accountId) ?? 0)
      let time = () => Date.now()
      const used = (accountId: AccountId, period: Period) => book.bill(accountId, period)
      return Books.of({
        setTime: (now) => {
          time = now
          book = new LedgerBook((accountId) => quotas.get(accountId) ?? 0)
        },
        settle: (leases, receipts) => Effect.sync(() => book.settle(leases, receipts, time())),
        open: ({ requestsPerMonth }) =>
          Effect.sync(() => {
            const accountId = AccountId.make(uuidOf(random))
            quotas.set(accountId, requestsPerMonth)
            return accountId
          }),
        change: (accountId, { requestsPerMonth }) => Effect.sync(() => void quotas.set(accountId, requestsPerMonth)),
        months: (accountId) =>
          Effect.sync(() => {
            const months = new Map<Period, StoredMonth>()
            for (const { period } of [...book.leases.values()].filter((lease) => lease.accountId === accountId)) {
              const { requests, streamTicks } = used(accountId, period)
              const receipts = [...book.receipts.values()].filter((one) => one.accountId === accountId && one.period === period)
              const receiptTicks = receipts.reduce((sum, { ticks }) => sum + ticks, 0)
              months.set(period, { given: book.given.get(`${accountId} ${period}`) ?? 0, requests, ticks: streamTicks, receiptTicks })
            }
            return months
          }),
        leases: (accountId) =>
          Effect.sync(() =>
            [...book.leases]
              .filter(([, lease]) => lease.accountId === accountId)
              .map(([leaseId, { period, size }]) => {
                const lines = [...book.lines].filter(([key]) => key.startsWith(leaseId)).map(([, line]) => line)
                return { leaseId, period, size, used: lines.reduce((sum, line) => sum + line.requests + line.streamTicks, 0) }
              }),
          ),
      })
    }),
  )

  /** Books on the store's ledger; requires a database. */
  static readonly layerStored = Layer.unwrap(
    Effect.sync(() => {
      let time = () => Date.now()
      const repositories = Layer.mergeAll(Accounts.layer, UsageLedger.layer).pipe(
        Layer.provide(Migrations.layer),
        Layer.provide(
          Layer.succeed(
            LedgerTime,
            Effect.sync(() => time()),
          ),
        ),
      )
      return Layer.effect(
        Books,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const accounts = yield* Accounts
          const usage = yield* UsageLedger
          return Books.of({
            setTime: (now) => {
              time = now
            },
            settle: (leases, receipts) => Effect.mapError(usage.settle(leases, receipts), (cause) => new LedgerError({ cause })),
            open: (terms) => Effect.orDie(Effect.map(accounts.create("simulated", terms), ({ accountId }) => accountId)),
            change: (accountId, terms) => Effect.orDie(Effect.asVoid(accounts.update(accountId, "simulated", terms))),
            months: (accountId) =>
              Effect.orDie(
                Effect.map(
                  sql<StoredMonth & { period: Period }>`
                    SELECT to_char(p.period, 'YYYY-MM') AS period, p.granted::int AS given,
                      (SELECT COALESCE(sum(n.requests), 0)::int FROM usage_lines n JOIN usage_leases l USING (lease_id)
                        WHERE l.account_id = p.account_id AND l.period = p.period) AS requests,
                      (SELECT COALESCE(sum(n.stream_ticks), 0)::int FROM usage_lines n JOIN usage_leases l USING (lease_id)
                        WHERE l.account_id = p.account_id AND l.period = p.period) AS ticks,
                      (SELECT COALESCE(sum(s.ticks), 0)::int FROM stream_sessions s
                        WHERE s.account_id = p.account_id AND s.period = p.period) AS "receiptTicks"
                    FROM usage_periods p WHERE p.account_id = ${accountId}::uuid`,
                  (rows) => new Map(rows.map(({ period, ...month }) => [period, month])),
                ),
              ),
            leases: (accountId) =>
              Effect.orDie(
                sql<StoredLeaseUse>`
                  SELECT lease_id::text AS "leaseId", to_char(period, 'YYYY-MM') AS period, size::int AS size,
                    (SELECT COALESCE(sum(requests + stream_ticks), 0)::int FROM usage_lines n WHERE n.lease_id = l.lease_id) AS used
                  FROM usage_leases l WHERE l.account_id = ${accountId}::uuid`,
              ),
          })
        }),
      ).pipe(Layer.provide(repositories))
    }),
  )
}
