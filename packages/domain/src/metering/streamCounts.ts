/**
 * Counts of what each API key has open on all gateways together. Gateways report their own counts and claim places for
 * new connections and replays. The stores of the counts (memory, SQL, Redis) follow the rules of this module.
 *
 * A gateway that has not reported for `LOST_AFTER_MS`, or has shut down, is gone: its counts no longer use places. Its
 * billed streams become credits of their keys instead. Each credit makes one connect free, within `FREE_WITHIN_MS` after
 * the gateway's last report, so that a failover or a shutdown does not bill a second connect.
 */
import type { ApiKeyId } from "../accounts.ts"

/** After this time without a report, a gateway is gone. Gateways report every second. */
export const LOST_AFTER_MS = 5_000
/** Time in which a stream of a gateway that is gone can be opened again for free. */
export const FREE_WITHIN_MS = 60_000

export interface StreamCounts {
  /** Live connections, which the plan limits. */
  readonly connections: number
  /** Billed streams. Most connections are one. A WebSocket for RPC is not a stream but may carry many. */
  readonly streams: number
  /** Running replays, which the plan limits. */
  readonly replays: number
}

export interface StreamLimit {
  readonly connections: number
  readonly replays: number
}

/** A gateway's report on one API key, with the places that it claims in addition. */
export interface StreamClaim {
  readonly keyId: ApiKeyId
  /** Open at this gateway. Replaces its earlier report, even if it exceeds the limit. */
  readonly held: StreamCounts
  readonly wanted: StreamCounts
  readonly limit: StreamLimit
  /** Number of wanted and recent connects that use a credit if the key has one. */
  readonly redeem: number
}

export interface StreamGrant {
  /** Wanted connections that were granted. They count as held from now on. */
  readonly connections: number
  readonly replays: number
  /** Number of credits used. */
  readonly free: number
}

export interface StreamCountsAnswer {
  /** False if the store did not know this gateway, or had considered it gone. It must then report all of its keys again. */
  readonly isKnown: boolean
  /** Ids of the gateways whose credits can be used, in no particular order. */
  readonly gone: ReadonlyArray<string>
  /** One grant per claim, in the same order. */
  readonly grants: ReadonlyArray<StreamGrant>
}

/**
 * Decides one claim. `others` are the places in use at the other gateways, and `credits` those of the key. A refused
 * connection or replay uses no credit.
 */
export const grantOf = ({ held, limit, redeem, wanted }: StreamClaim, others: StreamLimit, credits: number): StreamGrant => {
  const connections = granted(wanted.connections, limit.connections - others.connections - held.connections)
  const replays = granted(wanted.replays, limit.replays - others.replays - held.replays)
  const refused = wanted.connections - connections + wanted.replays - replays
  return { connections, replays, free: granted(redeem - refused, credits) }
}

const granted = (wanted: number, left: number): number => Math.max(0, Math.min(wanted, left))

/** The part of a limit that the clients of one address have used at one gateway since its last report. */
export interface Spending {
  readonly bucket: string
  /** Milliseconds in which the limit recovers what was used. */
  readonly costMs: number
  /** Milliseconds in which the limit recovers a whole burst. */
  readonly burstMs: number
}
