/**
 * Exact quotas across several gateways. A lease is a block of requests that the ledger has reserved for one gateway from
 * an account's monthly quota. Gateways serve requests only from their leases, so all gateways together never serve more
 * than the quota, even after failures. If a gateway fails, at most the unserved part of its open lease is lost.
 *
 * A lease belongs to one gateway process, account and month, and only its gateway changes it. It grows by the requests
 * that the ledger grants and shrinks by those that the gateway gives back. Each change has the next revision number, so
 * that a change whose result is unknown can safely be repeated or followed by a later one. This module has no side
 * effects: the implementations of the ledger (memory, SQL) apply `settle` to the leases that they store.
 */
import type { AccountId } from "../accounts.ts"
import type { Day, Period } from "./periods.ts"

/** Accounts whose monthly quota is at most this value lease one request at a time. */
const EXACT_QUOTA = 10_000
const MAX_LEASE = 1_000

/** Requests to reserve at once: 1/10,000 of the monthly quota, at least 1 and at most 1,000. */
export const leaseSize = (requestsPerMonth: number): number =>
  requestsPerMonth <= EXACT_QUOTA ? 1 : Math.min(MAX_LEASE, Math.max(1, Math.floor(requestsPerMonth / 10_000)))

const MAX_GRACE = 5_000

/**
 * Requests that one gateway may serve beyond its leases while the ledger does not respond: 1/1,000 of the monthly quota,
 * at most 5,000.
 */
export const graceOf = (requestsPerMonth: number): number => Math.min(MAX_GRACE, Math.floor(requestsPerMonth / 1_000))

/**
 * The ledger grants at most this part of the remaining quota at once, so that no gateway holds the last requests of a
 * month unused.
 */
const SHARE_OF_REST = 8

/**
 * Totals of a lease on one day: requests, and billing ticks (one per 15 s of streaming). Reported again whenever they
 * have grown.
 */
export interface UsageLine {
  readonly day: Day
  readonly requests: number
  readonly streamTicks: number
}

export interface LeaseReport {
  readonly leaseId: string
  readonly accountId: AccountId
  readonly period: Period
  readonly gatewayId: string
  /** 1 in the first report, and one more in each further report. */
  readonly revision: number
  /** Requests granted to the gateway, as far as it knows, and not given back before this report. */
  readonly size: number
  /** Additional requests that the gateway needs. */
  readonly want: number
  /** Requests that the gateway no longer needs. At most `size`. */
  readonly giveBack: number
  /** Requests served beyond `size` while the ledger did not respond. They count even if they exceed the quota. */
  readonly owed: number
  /** The days whose totals have changed. */
  readonly lines: ReadonlyArray<UsageLine>
}

/** A stream in one month. All numbers are totals for that month. */
export interface StreamReceipt {
  readonly sessionId: string
  readonly accountId: AccountId
  readonly keyId: string
  readonly period: Period
  readonly channel: StreamChannel
  /** Epoch milliseconds by the ledger's clock. */
  readonly openedAt: number
  /** One for opening the connection, and one per 15 s of streaming. */
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
  /** Requests added to the lease. 0 despite a `want`: the quota is used up or the report was outdated. */
  readonly granted: number
  /** Size in requests, after the report was applied. */
  readonly size: number
  /** Requests granted to all gateways in the month, including this report. */
  readonly given: number
  /** False if the same or a later revision is already stored; in that case nothing changes. */
  readonly counts: boolean
}

/** Applies a report. `given` is the number of requests that the ledger has granted to all gateways so far in the month. */
export const settle = (
  report: Pick<LeaseReport, "revision" | "size" | "want" | "giveBack" | "owed">,
  stored: StoredLease | undefined,
  given: number,
  quota: number,
): Settled => {
  if (stored !== undefined && stored.revision >= report.revision) return { granted: 0, size: stored.size, given, counts: false }
  // If the answer to an earlier report was lost, `report.size` lacks the requests granted in it. They return to the
  // quota.
  const kept = report.size - report.giveBack + report.owed
  const base = given - (stored?.size ?? 0) + kept
  const rest = quota - base
  const granted = rest <= 0 ? 0 : Math.min(report.want, Math.max(1, Math.floor(rest / SHARE_OF_REST)))
  return { granted, size: kept + granted, given: base + granted, counts: true }
}

export interface LeaseAnswer {
  readonly leaseId: string
  readonly granted: number
  readonly quota: number
  /** Requests of the monthly quota that are not granted to any gateway yet. */
  readonly left: number
}

export interface SettleAnswer {
  /** Epoch milliseconds by the ledger's clock. */
  readonly now: number
  /**
   * Answers in any order. Leases of months other than the current one cannot be enlarged, so reports about them get no
   * answer.
   */
  readonly leases: ReadonlyArray<LeaseAnswer>
}
