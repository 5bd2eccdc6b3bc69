/**
 * Exact quotas across several gateways. A gateway serves from leases: requests of an account's monthly quota that the
 * ledger has counted as granted before any of them is served. All gateways together therefore never serve more than the
 * quota, whatever fails. A gateway that fails loses at most the unserved part of its open lease. Small quotas are
 * leased one request at a time.
 *
 * A lease belongs to one gateway process, account and month. It grows by what is granted and shrinks by what is given
 * back. Only its gateway changes it. Each change has the next revision of the lease, so that a change with an unknown
 * result can safely be repeated or followed by a later one. Pure: the drivers of the ledger (memory, SQL) apply
 * `settle` to their stored leases.
 */
import type { AccountId } from "../accounts.ts"
import type { Day, Period } from "./periods.ts"

/** Quotas up to this size are leased one request at a time. */
const EXACT_QUOTA = 10_000
const MAX_LEASE = 1_000

/** Returns the number of requests leased at once: 1/10,000 of the monthly quota, 1 to 1,000. */
export const leaseSize = (requestsPerMonth: number): number =>
  requestsPerMonth <= EXACT_QUOTA ? 1 : Math.min(MAX_LEASE, Math.max(1, Math.floor(requestsPerMonth / 10_000)))

const MAX_GRACE = 5_000

/**
 * Returns the number of requests that one gateway may serve to an account beyond its lease while the ledger does not
 * respond: 1/1,000 of the monthly quota, at most 5,000.
 */
export const graceOf = (requestsPerMonth: number): number => Math.min(MAX_GRACE, Math.floor(requestsPerMonth / 1_000))

/**
 * A lease is granted at most 1/8 of the remaining quota, so that the last requests of a month are not unused at one
 * gateway.
 */
const SHARE_OF_REST = 8

/** Total served from a lease on a day. Sent again each time it grows. */
export interface UsageLine {
  readonly day: Day
  readonly requests: number
  readonly streamTicks: number
}

/** Report of a gateway about one of its leases. */
export interface LeaseReport {
  readonly leaseId: string
  readonly accountId: AccountId
  readonly period: Period
  readonly gatewayId: string
  /** One more than in the previous report of this lease. The first report has 1. */
  readonly revision: number
  /** Size as the gateway knows it: everything granted and not given back before this report. */
  readonly size: number
  /** Number of additional requests that the gateway needs. */
  readonly want: number
  /** Part of `size` that the gateway no longer needs. */
  readonly giveBack: number
  /** Requests served in grace beyond `size`. They count even if they exceed the quota. */
  readonly owed: number
  /** Days with changed numbers. */
  readonly lines: ReadonlyArray<UsageLine>
}

/** Receipt of a stream for one month, with totals. */
export interface StreamReceipt {
  readonly sessionId: string
  readonly accountId: AccountId
  readonly keyId: string
  readonly period: Period
  readonly channel: StreamChannel
  /** Epoch milliseconds by the clock of the ledger. */
  readonly openedAt: number
  /** Ticks charged so far in this month, including one for the connect. */
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
   * Requests added to the lease. 0 despite a positive `want` means that the quota is used up or that the report was
   * outdated.
   */
  readonly granted: number
  /** Size of the lease after the report. */
  readonly size: number
  /** Requests granted in the month, including this report. */
  readonly given: number
  /** False if a later revision is already stored; nothing changes then. */
  readonly counts: boolean
}

/**
 * Applies a report to the month of an account. `given` is the number of requests granted so far in the month, over all
 * leases.
 */
export const settle = (
  report: Pick<LeaseReport, "revision" | "size" | "want" | "giveBack" | "owed">,
  stored: StoredLease | undefined,
  given: number,
  quota: number,
): Settled => {
  if (stored !== undefined && stored.revision >= report.revision) return { granted: 0, size: stored.size, given, counts: false }
  // If the gateway never received the answer to an earlier report, the requests granted by it return to the quota:
  // `report.size` does not include them.
  const kept = report.size - report.giveBack + report.owed
  const base = given - (stored?.size ?? 0) + kept
  const rest = quota - base
  const granted = rest <= 0 ? 0 : Math.min(report.want, Math.max(1, Math.floor(rest / SHARE_OF_REST)))
  return { granted, size: kept + granted, given: base + granted, counts: true }
}

/** Answer to the report of a lease. */
export interface LeaseAnswer {
  readonly leaseId: string
  readonly granted: number
  /** Current quota of the account. */
  readonly quota: number
  /** Part of the quota that is not granted yet. */
  readonly left: number
}

export interface SettleAnswer {
  /** Time by the clock of the ledger, epoch milliseconds. */
  readonly now: number
  /**
   * One answer for each report of a lease of the current month, in any order. Leases of other months can no longer grow
   * and get no answer.
   */
  readonly leases: ReadonlyArray<LeaseAnswer>
}
