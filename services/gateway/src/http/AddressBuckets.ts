/**
 * Limits what clients of one address may do per second, on all gateways together. Each gateway decides by its own token
 * buckets, without waiting. Once a second it reports what its clients have used, and rejects addresses that have used
 * too much on all gateways until the limit has refilled. So an address can exceed its limit by at most a burst per
 * gateway. A single gateway reports nothing.
 */
import { boundedCache } from "@matchpoint/domain/boundedCache"
import { SharedCounts } from "@matchpoint/metering/counts/SharedCounts"
import { timeoutAwake } from "@matchpoint/metering/timeoutAwake"
import { repeatedly } from "@matchpoint/process/supervision/repeatedly"
import { TokenBuckets } from "@matchpoint/realtime/TokenBuckets"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"

const REPORT_EVERY = "1 second"
const ANSWER_WITHIN = "1 second"
/** Addresses that have used a smaller share of a burst are not reported. Nearly all stay below it. */
const REPORTED_SHARE = 1 / 20
const MAX_REPORTED = 500
const REMEMBERED_ADDRESSES = 50_000

export interface AddressLimit {
  /** Distinguishes the limits in the shared counts. */
  readonly name: string
  readonly perSecond: number
  readonly burst: number
  /** Monotonic milliseconds. A jump of the wall clock must neither block nor admit clients. */
  readonly now: () => number
}

export class AddressBuckets {
  readonly #limit: AddressLimit
  readonly #own: TokenBuckets
  /** Tokens used since the last report, by address. */
  readonly #used = new LRUCache<string, number>(boundedCache(REMEMBERED_ADDRESSES))
  /** Times until which addresses are rejected. */
  readonly #blockedUntil = new LRUCache<string, number>(boundedCache(REMEMBERED_ADDRESSES))

  constructor(limit: AddressLimit) {
    this.#limit = limit
    this.#own = new TokenBuckets({ perSecond: limit.perSecond, burst: limit.burst, capacity: REMEMBERED_ADDRESSES })
  }

  /** Returns false if the address has no token left. */
  take(address: string): boolean {
    const now = this.#limit.now()
    if (this.#isBlocked(address, now) || !this.#own.take(address, now)) return false
    this.#used.set(address, (this.#used.peek(address) ?? 0) + 1)
    return true
  }

  has(address: string): boolean {
    const now = this.#limit.now()
    return !this.#isBlocked(address, now) && this.#own.has(address, now)
  }

  /** Addresses with the tokens that they have used, which count as reported from then on. */
  takeReport(): ReadonlyArray<readonly [address: string, tokens: number]> {
    const least = Math.ceil(this.#limit.burst * REPORTED_SHARE)
    const report = [...this.#used.entries()].filter(([, tokens]) => tokens >= least).slice(0, MAX_REPORTED)
    for (const [address] of report) this.#used.delete(address)
    return report
  }

  block(address: string, ms: number): void {
    if (ms > 0) this.#blockedUntil.set(address, this.#limit.now() + ms)
  }

  #isBlocked(address: string, now: number): boolean {
    return now < (this.#blockedUntil.peek(address) ?? Number.NEGATIVE_INFINITY)
  }
}

/** Shared with other gateways until the scope closes. */
export const makeAddressBuckets = Effect.fnUntraced(function* (limit: AddressLimit) {
  const shared = yield* SharedCounts
  const buckets = new AddressBuckets(limit)
  if (shared === null) return buckets
  const tokenMs = 1_000 / limit.perSecond

  const report = Effect.suspend(() => {
    const used = buckets.takeReport()
    if (used.length === 0) return Effect.void
    const spendings = used.map(([address, tokens]) => ({
      bucket: `${limit.name}:${address}`,
      costMs: tokens * tokenMs,
      burstMs: limit.burst * tokenMs,
    }))
    return Effect.map(timeoutAwake(ANSWER_WITHIN)(shared.spend(spendings)), (blocked) => {
      for (const [n, [address]] of used.entries()) buckets.block(address, blocked[n] ?? 0)
    })
  })
  yield* repeatedly(
    `sharing the limit ${limit.name}`,
    // An unanswered report is not repeated. This gateway then limits by its own buckets.
    Effect.delay(Effect.ignore(report), REPORT_EVERY),
  )
  return buckets
})
