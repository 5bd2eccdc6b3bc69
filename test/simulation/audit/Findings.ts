/** What a simulation found to be wrong, with the time it was found; the first of a kind tells more than the thousandth. */

export interface Finding {
  readonly who: string
  readonly what: string
  /** Minutes and seconds since the beginning. */
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

  add(who: string, what: string): void {
    this.count += 1
    if (this.list.length >= KEEP) return
    this.list.push({ who, what, at: clockText(this.#now() - this.#startedAt) })
  }
}

export const clockText = (ms: number): string => `${Math.floor(ms / 60_000)}:${((ms % 60_000) / 1_000).toFixed(3).padStart(6, "0")}`
