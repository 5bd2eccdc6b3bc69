// Owns what one measured stretch delivered: the count of all frames, the latencies of a sample of them.

import { monotonicUs } from "../../lib/monotonic.ts"
import { percentile, rounded } from "../../lib/statistics.ts"
import { STAMP_DIGITS } from "../liveUpdates.ts"
import type { Delivered } from "../orders.ts"

/** More than any sensible stretch has; what comes later is counted but not sampled. */
const MAX_SAMPLES = 1_000_000

export class Deliveries {
  count = 0
  /** False until the first stretch begins. */
  measuring = false
  readonly #latenciesUs = new Float64Array(MAX_SAMPLES)
  #samples = 0
  #lastAtUs = 0
  #beganAtUs = monotonicUs()
  #cpu = process.cpuUsage()

  begin(): void {
    this.measuring = true
    this.count = 0
    this.#samples = 0
    this.#lastAtUs = 0
    this.#beganAtUs = monotonicUs()
    this.#cpu = process.cpuUsage()
  }

  /** `stampEnd` is where the stamp ends in the chunk. A stamp that began in an earlier chunk is not sampled. */
  sample(chunk: Buffer, stampEnd: number): void {
    this.#lastAtUs = monotonicUs()
    const start = stampEnd - STAMP_DIGITS
    if (start < 0 || this.#samples === MAX_SAMPLES) return
    const stampUs = Number(chunk.toString("latin1", start, stampEnd))
    if (!(stampUs > 0)) throw new Error(`No stamp in a sampled frame, but ${JSON.stringify(chunk.toString("latin1", start, stampEnd))}`)
    this.#latenciesUs[this.#samples++] = this.#lastAtUs - stampUs
  }

  summary(unevenSockets: number): Delivered {
    const { user, system } = process.cpuUsage(this.#cpu)
    const sorted = this.#latenciesUs.subarray(0, this.#samples).sort()
    return {
      delivered: this.count,
      unevenSockets,
      lastAtUs: this.#lastAtUs,
      p50Ms: rounded(percentile(sorted, 0.5) / 1e3, 2),
      p99Ms: rounded(percentile(sorted, 0.99) / 1e3, 2),
      cpuShare: (user + system) / (monotonicUs() - this.#beganAtUs),
    }
  }
}
