/**
 * Exact quotas across several gateways. A lease is a number of requests of an account's monthly quota that the ledger
 * has counted as granted to a gateway before any of them is served. Gateways serve requests from their leases, so all
 * gateways together never serve more than the quota, even after failures. If a gateway fails, at most the unserved part
 * of its open lease is lost. Small quotas are leased one request at a time.
 *
 * A lease belongs to one gateway process, account and month, and only its gateway changes it. The lease grows by the
 * requests that are granted and shrinks by those that are given back. Each change has the next revision number of the
 * lease, so that a change whose result is unknown can safely be repeated or followed by a later one. Pure: the
 * implementations of the ledger (memory, SQL) apply `settle` to the leases that they store.
 */
import type { AccountId } from "../accounts.ts"
import type { Day, Period } from "./periods.ts"

/** Maximum monthly quota that is leased one request at a time. */
const EXACT_QUOTA = 10_000
const MAX_LEASE = 1_000

/** Returns the number of requests to lease at once: 1/10,000 of the monthly quota, at least 1 and at most 1,000. */
export const leaseSize = (requestsPerMonth: number): number =>
  requestsPerMonth <= EXACT_QUOTA ? 1 : Math.min(MAX_LEASE, Math.max(1, Math.floor(requestsPerMonth / 10_000)))

const MAX_GRACE = 5_000

/**
 * Returns the number of requests that one gateway may serve to an account beyond its lease while the ledger does not
 * respond: 1/1,000 of the monthly quota, at most 5,000.
 */
export const graceOf = (requestsPerMonth: number): number => Math.min(MAX_GRACE, Math.floor(requestsPerMonth / 1_000))

/**
 * A report is granted at most 1/8 of the remaining quota, so that the last requests of a month are not held unused by
 * one gateway.
 */
const SHARE_OF_REST = 8

/**
 * Total number of requests and stream billing ticks served from a lease on one day. The total is sent again whenever it
 * has grown.
 */
export interface UsageLine {
  readonly day: Day
  readonly requests: number
  readonly streamTicks: number
}

/** A gateway's report to the ledger about one of its leases. */
export interface LeaseReport {
  readonly leaseId: string
  readonly accountId: AccountId
  readonly period: Period
  readonly gatewayId: string
  /** Revision of the lease: 1 in the first report, and one more in each further report. */
  readonly revision: number
  /**
   * Size of the lease from the gateway's point of view: all requests that were granted and not given back before this
   * report.
   */
  readonly size: number
  /** Number of additional requests that the gateway needs. */
  readonly want: number
  /** Number of requests within `size` that the gateway no longer needs. */
  readonly giveBack: number
  /**
   * Number of requests served beyond `size` while the ledger did not respond. They are counted even if they exceed the
   * quota.
   */
  readonly owed: number
  /** Usage on the days for which the totals have changed. */
  readonly lines: ReadonlyArray<UsageLine>
}

/** Billing record of one stream in one month. All numbers are totals. */
export interface StreamReceipt {
  readonly sessionId: string
  readonly accountId: AccountId
  readonly keyId: string
  readonly period: Period
  readonly channel: StreamChannel
  /** Time at which the stream was opened, in epoch milliseconds, according to the ledger's clock. */
  readonly openedAt: number
  /** Number of billing ticks charged so far in this month, including one for opening the connection. */
  readonly ticks: number
  readonly lastTickAt: number
  readonly closedAt: number | null
}

export const streamChannels = ["sse", "websocket", "replay", "rpc"] as const
export type StreamChannel = (typeof streamChannels)[number]

/** A lease as the ledger stores it. */
export interface StoredLease {
  readonly size: number
  readonly revision: number
}

export interface Settled {
  /**
   * Number of requests added to the lease. If it is 0 although `want` is positive, the quota is used up or the report
   * was outdated.
   */
  readonly granted: number
  /** Size of the lease after the report. */
  readonly size: number
  /** Number of requests granted in the month over all leases, including this report. */
  readonly given: number
  /**
   * True if the report was applied. False if the same or a later revision is already stored; in that case nothing
   * changes.
   */
  readonly counts: boolean
}

/**
 * Applies a report to the lease and to the monthly quota of its account. `given` is the number of requests granted so
 * far in the month over all leases.
 */
export const settle = (
  report: Pick<LeaseReport, "revision" | "size" | "want" | "giveBack" | "owed">,
  stored: StoredLease | undefined,
  given: number,
  quota: number,
): Settled => {
  if (stored !== undefined && stored.revision >= report.revision) return { granted: 0, size: stored.size, given, counts: false }
  // `report.size` does not include requests granted by an answer that the gateway never received. Such requests
  // therefore return to the quota.
  const kept = report.size - report.giveBack + report.owed
  const base = given - (stored?.size ?? 0) + kept
  const rest = quota - base
  const granted = rest <= 0 ? 0 : Math.min(report.want, Math.max(1, Math.floor(rest / SHARE_OF_REST)))
  return { granted, size: kept + granted, given: base + granted, counts: true }
}

/** The ledger's answer to a report about a lease. */
export interface LeaseAnswer {
  readonly leaseId: string
  readonly granted: number
  /** Current quota of the account. */
  readonly quota: number
  /** Number of requests of the quota that have not been granted yet. */
  readonly left: number
}

export interface SettleAnswer {
  /** Current time in epoch milliseconds, according to the ledger's clock. */
  readonly now: number
  /**
   * One answer for each report about a lease of the current month, in any order. Leases of other months can no longer
   * grow, so reports about them get no answer.
   */
  readonly leases: ReadonlyArray<LeaseAnswer>
}
