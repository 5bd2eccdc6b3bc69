/**
 * Quotas exact across gateways. A gateway serves from leases: requests of an account's month that the ledger has counted as given out
 * before any of them is served. So the gateways together can never serve more than the quota, whatever fails; a gateway that dies
 * misplaces at most what it had not served of its open lease. Small quotas are leased one request at a time.
 *
 * A lease belongs to one gateway process, account and month, grows by what is taken and shrinks by what is given back. Only its gateway
 * changes it; each change carries the lease's next revision, so that a change whose fate was unknown is repeated, or overtaken, safely.
 * Pure: the ledger's drivers (memory, SQL) apply `settle` to what they have stored.
 */
import type { AccountId } from "../accounts.ts"
import type { Day, Period } from "./periods.ts"

/** Quotas up to this are leased request by request. */
const EXACT_QUOTA = 10_000
const MAX_LEASE = 1_000

/** Requests taken from the ledger at once. A ten-thousandth of the month, 1 to 1,000. */
export const leaseSize = (requestsPerMonth: number): number =>
  requestsPerMonth <= EXACT_QUOTA ? 1 : Math.min(MAX_LEASE, Math.max(1, Math.floor(requestsPerMonth / 10_000)))

const MAX_GRACE = 5_000

/** Requests one gateway may serve to an account beyond its lease while the ledger does not answer: a thousandth of the month. */
export const graceOf = (requestsPerMonth: number): number => Math.min(MAX_GRACE, Math.floor(requestsPerMonth / 1_000))

/** Of what is left, at most this share goes into one lease, so that the last requests of a month do not lie idle at one gateway. */
const SHARE_OF_REST = 8

/** What was served from a lease on a day, in all: sent again and again as it grows. */
export interface UsageLine {
  readonly day: Day
  readonly requests: number
  readonly streamTicks: number
}

/** What a gateway says about one of its leases. */
export interface LeaseReport {
  readonly leaseId: string
  readonly accountId: AccountId
  readonly period: Period
  readonly gatewayId: string
  /** One more than in the last report of this lease; the first has 1. */
  readonly revision: number
  /** As the gateway knows it: everything granted and not given back before this report. */
  readonly size: number
  /** Wanted on top. */
  readonly want: number
  /** Of `size`, not needed any more. */
  readonly giveBack: number
  /** Served in grace beyond `size`: counted whether or not the quota has it. */
  readonly owed: number
  /** Days whose numbers have changed. */
  readonly lines: ReadonlyArray<UsageLine>
}

/** An open stream's receipt in one month, in all. */
export interface StreamReceipt {
  readonly sessionId: string
  readonly accountId: AccountId
  readonly keyId: string
  readonly period: Period
  readonly channel: StreamChannel
  /** Epoch ms by the ledger's clock. */
  readonly openedAt: number
  /** Charged so far in this month; the connect is one. */
  readonly ticks: number
  readonly lastTickAt: number
  readonly closedAt: number | null
}

export const streamChannels = ["sse", "websocket", "replay", "rpc"] as const
export type StreamChannel = (typeof streamChannels)[number]

/** What the ledger has of a lease. */
export interface StoredLease {
  readonly size: number
  readonly revision: number
}

export interface Settled {
  /** Added to the lease. 0 of a positive `want`: nothing is left, or the report came too late to count. */
  readonly granted: number
  /** The lease's size from now on. */
  readonly size: number
  /** Given out in the month, this included. */
  readonly given: number
  /** False: a later revision is stored already, nothing changes. */
  readonly counts: boolean
}

/** Applies a report to an account's month. `given`: requests of the month given out so far, by whatever lease. */
export const settle = (
  report: Pick<LeaseReport, "revision" | "size" | "want" | "giveBack" | "owed">,
  stored: StoredLease | undefined,
  given: number,
  quota: number,
): Settled => {
  if (stored !== undefined && stored.revision >= report.revision) return { granted: 0, size: stored.size, given, counts: false }
  // What an earlier report was granted without its gateway learning of it goes back: its size is not in `report.size`.
  const kept = report.size - report.giveBack + report.owed
  const base = given - (stored?.size ?? 0) + kept
  const rest = quota - base
  const granted = rest <= 0 ? 0 : Math.min(report.want, Math.max(1, Math.floor(rest / SHARE_OF_REST)))
  return { granted, size: kept + granted, given: base + granted, counts: true }
}

/** What a gateway learns from a report. */
export interface LeaseAnswer {
  readonly leaseId: string
  readonly granted: number
  /** The account's quota, as it is agreed now. */
  readonly quota: number
  /** Of the quota, not given out yet. */
  readonly left: number
}

export interface SettleAnswer {
  /** The ledger's clock, epoch ms. */
  readonly now: number
  /** One for each report whose lease is of the current month; others take no more. In no order. */
  readonly leases: ReadonlyArray<LeaseAnswer>
}
