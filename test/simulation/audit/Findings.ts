/**
 * Problems that a simulation found, each with its time. Only the first 20 are kept: the first of a kind is more useful
 * than the thousandth.
 */

export interface Finding {
  readonly source: string
  readonly problem: string
  /** Minutes and seconds since the start. */
  readonly at: string
}

const KEEP = 20

export class Findings {
  readonly #now: () => number
  readonly #startedAt: number
  readonly list: Array<Finding> = []
  count = 0

  constructor(now: () => number) {
    this.#now = now
    this.#startedAt = now()
  }

  add(source: string, problem: string): void {
    this.count += 1
    if (this.list.length >= KEEP) return
    this.list.push({ source, problem, at: clockText(this.#now() - this.#startedAt) })
  }
}

export const clockText = (ms: number): string => `${Math.floor(ms / 60_000)}:${((ms % 60_000) / 1_000).toFixed(3).padStart(6, "0")}`
