// Owns the results of one measured period: the count of all frames, the time at which the last socket had each frame,
// and the latencies of sampled sockets. Frames are identified by their number on the socket, so they need no timestamp.

import { monotonicUs } from "../../lib/monotonic.ts"
import { percentile, rounded } from "../../lib/statistics.ts"
import type { Delivered, Published } from "../orders.ts"

/** More than a reasonable period has. Later frames are counted but not timed. */
const MAX_FRAMES = 100_000
const MAX_SAMPLES = 1_000_000

export class Deliveries {
  count = 0
  #sockets = 0
  /** Number of sockets that have received the n-th frame. */
  readonly #had = new Uint32Array(MAX_FRAMES)
  /** Time at which the last socket received it. */
  readonly #completedAtUs = new Float64Array(MAX_FRAMES)
  readonly #sampledFrame = new Uint32Array(MAX_SAMPLES)
  readonly #sampledAtUs = new Float64Array(MAX_SAMPLES)
  #samples = 0
  #lastAtUs = 0
  #beganAtUs = monotonicUs()
  #cpu = process.cpuUsage()

  begin(sockets: number): void {
    this.count = 0
    this.#sockets = sockets
    this.#had.fill(0)
    this.#samples = 0
    this.#lastAtUs = 0
    this.#beganAtUs = monotonicUs()
    this.#cpu = process.cpuUsage()
  }

  /** Records that a socket has received its n-th frame of the period, from 0. */
  take(n: number, sampled: boolean): void {
    this.count++
    if (n >= MAX_FRAMES) return
    const had = (this.#had[n] ?? 0) + 1
    this.#had[n] = had
    if (had !== this.#sockets && !sampled) return
    const now = monotonicUs()
    this.#lastAtUs = now
    if (had === this.#sockets) this.#completedAtUs[n] = now
    if (!sampled || this.#samples === MAX_SAMPLES) return
    this.#sampledFrame[this.#samples] = n
    this.#sampledAtUs[this.#samples++] = now
  }

  summary({ published, startedAtUs, intervalUs }: Published, unevenSockets: number): Delivered {
    const { user, system } = process.cpuUsage(this.#cpu)
    const dueUs = (n: number) => startedAtUs + n * intervalUs
    const latencies = this.#sampledAtUs.slice(0, this.#samples).map((at, index) => at - dueUs(this.#sampledFrame[index] ?? 0))
    const complete = Array.from({ length: Math.min(published, MAX_FRAMES) }, (_, n) => n).filter((n) => this.#had[n] === this.#sockets)
    const last = Float64Array.from(complete, (n) => (this.#completedAtUs[n] ?? Number.NaN) - dueUs(n))
    const ms = (values: Float64Array, share: number) => rounded(percentile(values, share) / 1e3, 2)
    latencies.sort()
    last.sort()
    return {
      delivered: this.count,
      unevenSockets,
      lastAtUs: this.#lastAtUs,
      p50Ms: ms(latencies, 0.5),
      p99Ms: ms(latencies, 0.99),
      worstMs: ms(latencies, 1),
      lastP50Ms: ms(last, 0.5),
      lastP99Ms: ms(last, 0.99),
      cpuShare: (user + system) / (monotonicUs() - this.#beganAtUs),
    }
  }
}
