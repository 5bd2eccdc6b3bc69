/**
 * Exact quotas across several gateways. A lease is a block of requests that the ledger has reserved for one gateway
 * from an account's monthly quota. Requests are reserved before they are served, and gateways serve requests only from
 * their leases, so all gateways together never serve more than the quota, even after failures. If a gateway fails, at
 * most the unserved part of its open lease is lost. Small quotas are leased one request at a time.
 *
 * A lease belongs to one gateway process, account and month, and only its gateway changes it. The lease grows by the
 * requests that the ledger grants and shrinks by those that the gateway gives back. Each change has the next revision
 * number of the lease, so that a change whose result is unknown can safely be repeated or followed by a later one. This
 * module has no side effects: the implementations of the ledger (memory, SQL) apply `settle` to the leases that they
 * store.
 */
import type { AccountId } from "../accounts.ts"
import type { Day, Period } from "./periods.ts"

/** Accounts whose monthly quota is at most this value lease one request at a time. */
const EXACT_QUOTA = 10_000
const MAX_LEASE = 1_000

/**
 * Returns how many requests a gateway should reserve from the quota at once: 1/10,000 of the monthly quota, at least 1
 * and at most 1,000.
 */
export const leaseSize = (requestsPerMonth: number): number =>
  requestsPerMonth <= EXACT_QUOTA ? 1 : Math.min(MAX_LEASE, Math.max(1, Math.floor(requestsPerMonth / 10_000)))

const MAX_GRACE = 5_000

/**
 * Returns how many requests one gateway may serve to an account while the ledger does not respond, in addition to those
 * that it has reserved: 1/1,000 of the monthly quota, at most 5,000.
 */
export const graceOf = (requestsPerMonth: number): number => Math.min(MAX_GRACE, Math.floor(requestsPerMonth / 1_000))

/**
 * The ledger grants at most 1/8 of the remaining quota at once, so that no single gateway holds the last requests of a
 * month unused.
 */
const SHARE_OF_REST = 8

/**
 * Usage of a lease on one day: the totals of requests and of billing ticks (one charge per 15 s of streaming). The
 * totals are reported again whenever they have grown.
 */
export interface UsageLine {
  readonly day: Day
  readonly requests: number
  readonly streamTicks: number
}

/** A gateway's report to the ledger about one of its leases (blocks of requests reserved from the quota). */
export interface LeaseReport {
  readonly leaseId: string
  readonly accountId: AccountId
  readonly period: Period
  readonly gatewayId: string
  /** Revision number of the lease: 1 in the first report, and one more in each further report. */
  readonly revision: number
  /**
   * Size of the lease as known to the gateway: the number of requests that were granted to it and that it has not given
   * back before this report.
   */
  readonly size: number
  /** Number of additional requests that the gateway needs. */
  readonly want: number
  /** Number of requests that the gateway returns to the quota because it no longer needs them. At most `size`. */
  readonly giveBack: number
  /**
   * Number of requests served beyond `size` while the ledger did not respond. They are counted even if they exceed the
   * quota.
   */
  readonly owed: number
  /** Usage on the days for which the totals have changed. */
  readonly lines: ReadonlyArray<UsageLine>
}

/** Billing record of one stream in one month. All numbers are totals for that month. */
export interface StreamReceipt {
  readonly sessionId: string
  readonly accountId: AccountId
  readonly keyId: string
  readonly period: Period
  readonly channel: StreamChannel
  /** Time at which the stream was opened, in epoch milliseconds, according to the ledger's clock. */
  readonly openedAt: number
  /**
   * Number of charges for the stream so far in this month (billing ticks): one for opening the connection, and one per
   * 15 s of streaming.
   */
  readonly ticks: number
  readonly lastTickAt: number
  readonly closedAt: number | null
}

export const streamChannels = ["sse", "websocket", "replay", "rpc"] as const
export type StreamChannel = (typeof streamChannels)[number]

/** A lease (block of requests reserved for a gateway) as the ledger stores it. */
export interface StoredLease {
  readonly size: number
  readonly revision: number
}

export interface Settled {
  /**
   * Number of requests added to the lease. If it is 0 although the gateway asked for some (`want`), the quota is used
   * up or the report was outdated.
   */
  readonly granted: number
  /** Size of the lease after the report was applied, in requests. */
  readonly size: number
  /** Number of requests that the ledger has granted to all gateways in the month, including this report. */
  readonly given: number
  /**
   * True if the report was applied. False if the same or a later revision is already stored; in that case nothing
   * changes.
   */
  readonly counts: boolean
}

/**
 * Applies a report to the lease and to the monthly quota of its account. `given` is the number of requests that the
 * ledger has granted to all gateways so far in the month.
 */
export const settle = (
  report: Pick<LeaseReport, "revision" | "size" | "want" | "giveBack" | "owed">,
  stored: StoredLease | undefined,
  given: number,
  quota: number,
): Settled => {
  if (stored !== undefined && stored.revision >= report.revision) return { granted: 0, size: stored.size, given, counts: false }
  // If the gateway did not receive the answer to an earlier report, `report.size` does not include the requests granted
  // in that answer. These requests return to the quota.
  const kept = report.size - report.giveBack + report.owed
  const base = given - (stored?.size ?? 0) + kept
  const rest = quota - base
  const granted = rest <= 0 ? 0 : Math.min(report.want, Math.max(1, Math.floor(rest / SHARE_OF_REST)))
  return { granted, size: kept + granted, given: base + granted, counts: true }
}

/** The ledger's answer to a report about a lease (block of requests reserved for a gateway). */
export interface LeaseAnswer {
  readonly leaseId: string
  readonly granted: number
  /** Current quota of the account. */
  readonly quota: number
  /** Number of requests of the monthly quota that have not been granted to any gateway yet. */
  readonly left: number
}

export interface SettleAnswer {
  /** Current time in epoch milliseconds, according to the ledger's clock. */
  readonly now: number
  /**
   * Answers to the gateways' usage reports, in any order. Each report about a lease (a block of reserved requests) of
   * the current month gets one answer, which may enlarge the lease. Leases of other months can no longer be enlarged,
   * so reports about them get no answer.
   */
  readonly leases: ReadonlyArray<LeaseAnswer>
}
