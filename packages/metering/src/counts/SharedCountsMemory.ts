/** Counts of several gateways in one process. The tests of the other drivers compare their behaviour with it. */
import {
  FREE_WITHIN_MS,
  grantOf,
  LOST_AFTER_MS,
  type Spending,
  type StreamClaim,
  type StreamCounts,
  type StreamCountsAnswer,
  type StreamGrant,
} from "@matchpoint/domain/metering/streamCounts"
import { Clock, Effect } from "effect"
import type { SharedCountsPort } from "./SharedCounts.ts"

interface Gateway {
  seenAt: number
  hasLeft: boolean
}

export class CountsBook {
  readonly #gateways = new Map<string, Gateway>()
  /** Counts by key and gateway. For a gateway that is gone, `streams` are the credits that are left. */
  readonly #counts = new Map<string, Map<string, StreamCounts>>()

  /** Time by bucket at which its limit will have refilled everything. */
  readonly #fullAt = new Map<string, number>()

  /** Times are in milliseconds. */
  exchange(gatewayId: string, claims: ReadonlyArray<StreamClaim>, now: number): StreamCountsAnswer {
    const isKnown = this.#isAlive(gatewayId, now)
    this.#gateways.set(gatewayId, { seenAt: now, hasLeft: false })
    const grants = claims.map((claim) => this.#claim(gatewayId, claim, now))
    return { isKnown, gone: [...this.#gateways.keys()].filter((id) => this.#hasCredits(id, now)), grants }
  }

  leave(gatewayId: string, now: number): void {
    this.#gateways.set(gatewayId, { seenAt: now, hasLeft: true })
  }

  spend(spendings: ReadonlyArray<Spending>, now: number): ReadonlyArray<number> {
    return spendings.map(({ bucket, burstMs, costMs }) => {
      const fullAt = Math.max(now, this.#fullAt.get(bucket) ?? now) + costMs
      this.#fullAt.set(bucket, fullAt)
      return Math.max(0, fullAt - now - burstMs)
    })
  }

  /** Sum over all gateways that are alive. */
  total(keyId: string, now: number): StreamCounts {
    const alive = [...(this.#counts.get(keyId) ?? [])].filter(([id]) => this.#isAlive(id, now)).map(([, counts]) => counts)
    return alive.reduce(sumOf, none)
  }

  #claim(gatewayId: string, claim: StreamClaim, now: number): StreamGrant {
    const { held, keyId, wanted } = claim
    const counts = this.#counts.get(keyId) ?? new Map<string, StreamCounts>()
    this.#counts.set(keyId, counts)
    counts.delete(gatewayId)
    const credits = [...counts].filter(([id]) => this.#hasCredits(id, now))
    const grant = grantOf(
      claim,
      this.total(keyId, now),
      credits.reduce((sum, [, { streams }]) => sum + streams, 0),
    )
    let left = grant.free
    for (const [id, gone] of credits) {
      const used = Math.min(left, gone.streams)
      counts.set(id, { ...gone, streams: gone.streams - used })
      left -= used
    }
    counts.set(gatewayId, sumOf(held, { connections: grant.connections, streams: wanted.streams, replays: grant.replays }))
    return grant
  }

  #isAlive(gatewayId: string, now: number): boolean {
    const gateway = this.#gateways.get(gatewayId)
    return gateway !== undefined && !gateway.hasLeft && now - gateway.seenAt <= LOST_AFTER_MS
  }

  #hasCredits(gatewayId: string, now: number): boolean {
    const seenAt = this.#gateways.get(gatewayId)?.seenAt
    return seenAt !== undefined && !this.#isAlive(gatewayId, now) && now - seenAt <= FREE_WITHIN_MS
  }
}

const none: StreamCounts = { connections: 0, streams: 0, replays: 0 }

const sumOf = (one: StreamCounts, other: StreamCounts): StreamCounts => ({
  connections: one.connections + other.connections,
  streams: one.streams + other.streams,
  replays: one.replays + other.replays,
})

export const countsOf = (book: CountsBook): SharedCountsPort => ({
  exchange: (gatewayId, claims) => Effect.map(Clock.currentTimeMillis, (now) => book.exchange(gatewayId, claims, now)),
  leave: (gatewayId) => Effect.map(Clock.currentTimeMillis, (now) => book.leave(gatewayId, now)),
  spend: (spendings) => Effect.map(Clock.currentTimeMillis, (now) => book.spend(spendings, now)),
})
