/** Limits deliveries per second to each subscription, in this process. Times are whole milliseconds. */
export class Pacer {
  /** When the next delivery may start, epoch ms. */
  readonly #next = new Map<string, number>()

  /**
   * When the next delivery may start, epoch ms. If that is not later than `now`, it must start now, and the following
   * one may start one interval later.
   */
  reserve(subscriptionId: string, maxPerSecond: number | null, now: number): number {
    if (maxPerSecond === null) return now
    const interval = Math.ceil(1000 / maxPerSecond)
    const next = this.#next.get(subscriptionId) ?? 0
    // A longer wait is impossible, unless the clock was set back or the limit was raised.
    if (next > now && next - now <= interval) return next
    if (this.#next.size > MAX_ENTRIES) this.#forget(now)
    const from = next > now ? now : Math.max(next, now - BURST_MS)
    this.#next.set(subscriptionId, from + interval)
    return now
  }

  #forget(now: number): void {
    for (const [subscriptionId, next] of this.#next) if (next <= now) this.#next.delete(subscriptionId)
  }
}

const MAX_ENTRIES = 10_000

/** Time by which deliveries may catch up after a lane was claimed late. */
const BURST_MS = 100
