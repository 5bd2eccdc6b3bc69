/** Limits the number of deliveries per second to each subscription, in this process. */
import { Clock, Effect } from "effect"

export class Pacer {
  /** Time from which the next delivery of a subscription may start, epoch ms. */
  readonly #next = new Map<string, number>()

  /** Waits until the subscription may receive its next delivery. Deliveries are spaced evenly. */
  wait(subscriptionId: string, maxPerSecond: number | null): Effect.Effect<void> {
    if (maxPerSecond === null) return Effect.void
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (this.#next.size > MAX_ENTRIES) this.#forget(now)
      const start = Math.max(now, this.#next.get(subscriptionId) ?? 0)
      this.#next.set(subscriptionId, start + 1000 / maxPerSecond)
      return start > now ? Effect.sleep(start - now) : Effect.void
    })
  }

  #forget(now: number): void {
    for (const [subscriptionId, next] of this.#next) if (next <= now) this.#next.delete(subscriptionId)
  }
}

const MAX_ENTRIES = 10_000
