/** In-memory ledger of a single process, for tests and benchmarks. The tests of the SQL ledger compare its behaviour with it. */
import type { AccountId } from "@matchpoint/domain/accounts"
import { type LeaseReport, type SettleAnswer, type StoredLease, type StreamReceipt, settle } from "@matchpoint/domain/metering/leases"
import { type Period, periodOf } from "@matchpoint/domain/metering/periods"
import { Clock, Effect, Layer } from "effect"
import { Ledger, type LedgerError } from "./Ledger.ts"

export interface MemoryLine {
  readonly accountId: AccountId
  readonly period: Period
  requests: number
  streamTicks: number
}

/** Accessible for tests. */
export class LedgerBook {
  readonly #quotaOf: (accountId: AccountId) => number
  readonly given = new Map<string, number>()
  readonly leases = new Map<string, StoredLease & { readonly accountId: AccountId; readonly period: Period }>()
  /** Usage by lease and day. */
  readonly lines = new Map<string, MemoryLine>()
  /** Receipts by session and month. */
  readonly receipts = new Map<string, StreamReceipt>()

  constructor(quotaOf: (accountId: AccountId) => number) {
    this.#quotaOf = quotaOf
  }

  settle(reports: ReadonlyArray<LeaseReport>, receipts: ReadonlyArray<StreamReceipt>, now: number): SettleAnswer {
    const current = periodOf(now)
    const leases = reports.map((report) => {
      const { accountId, leaseId, period } = report
      const month = monthOf(accountId, period)
      const quota = this.#quotaOf(accountId)
      const want = period === current ? report.want : 0
      const settled = settle({ ...report, want }, this.leases.get(leaseId), this.given.get(month) ?? 0, quota)
      if (settled.counts) {
        this.given.set(month, settled.given)
        this.leases.set(leaseId, { accountId, period, size: settled.size, revision: report.revision })
      }
      for (const { day, requests, streamTicks } of report.lines) {
        const line = this.lines.get(`${leaseId} ${day}`)
        this.lines.set(`${leaseId} ${day}`, {
          accountId,
          period,
          requests: Math.max(requests, line?.requests ?? 0),
          streamTicks: Math.max(streamTicks, line?.streamTicks ?? 0),
        })
      }
      return { leaseId, granted: settled.granted, quota, left: Math.max(0, quota - settled.given) }
    })
    for (const receipt of receipts) {
      const key = `${receipt.sessionId} ${receipt.period}`
      const known = this.receipts.get(key)
      if (known === undefined || known.ticks <= receipt.ticks) {
        this.receipts.set(key, { ...receipt, closedAt: receipt.closedAt ?? known?.closedAt ?? null })
      }
    }
    return { now, leases }
  }

  /** Requests and ticks of an account in a month. */
  bill(accountId: AccountId, period: Period): { readonly requests: number; readonly streamTicks: number } {
    const lines = [...this.lines.values()].filter((line) => line.accountId === accountId && line.period === period)
    return {
      requests: lines.reduce((sum, { requests }) => sum + requests, 0),
      streamTicks: lines.reduce((sum, { streamTicks }) => sum + streamTicks, 0),
    }
  }
}

const monthOf = (accountId: AccountId, period: Period): string => `${accountId} ${period}`

/** `fault` runs before each exchange; if it fails, the exchange fails without being applied. */
export const layerOf = (book: LedgerBook, fault: Effect.Effect<void, LedgerError> = Effect.void): Layer.Layer<Ledger> =>
  Layer.succeed(
    Ledger,
    Ledger.of({
      settle: (leases, receipts) =>
        Effect.andThen(
          fault,
          Effect.map(Clock.currentTimeMillis, (now) => book.settle(leases, receipts, now)),
        ),
    }),
  )

/** Every account has a quota of `quota` requests per month. Each build of the layer starts with an empty ledger. */
export const layer = (quota: number): Layer.Layer<Ledger> => Layer.suspend(() => layerOf(new LedgerBook(() => quota)))
