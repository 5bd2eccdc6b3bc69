// Owns how requests are drawn: popular and rare ids, pages, and filters. Seeded: the same seed draws the same requests.
import { Random } from "@matchpoint/simulator/random"
import type { ListName, SampleName, Samples } from "./samples.ts"

/** The database has no row for a sample, so the endpoint cannot be requested. */
export class NothingSampled extends Error {
  constructor(what: SampleName) {
    super(`the database holds no ${what}`)
  }
}

/** Share of requests for a hot id. The rest are for any id. */
const HOT_SHARE = 0.6
const FIRST_PAGES = 0.7
const NEAR_PAGES = 0.2

type Value = string | number | undefined

export type Query = Readonly<Record<string, Value>>

export class Draw {
  readonly random: Random
  readonly #samples: Samples

  constructor(samples: Samples, seed: number) {
    this.#samples = samples
    this.random = new Random(seed)
  }

  /** Draws a value of a sample. The best known of the hot values are drawn most often. */
  of(name: SampleName): string {
    const { cold, hot } = this.#samples.of[name]
    const place = this.random.chance(HOT_SHARE) ? hot[Math.floor(hot.length * this.random.next() ** 2)] : undefined
    const drawn = place ?? cold[this.random.int(0, cold.length - 1)] ?? hot[0]
    if (drawn === undefined) throw new NothingSampled(name)
    return drawn
  }

  /** Draws an optional parameter. Returns undefined if the chance fails, or if the database has no value for it. */
  maybe<A>(chance: number, draw: () => A): A | undefined {
    if (!this.random.chance(chance)) return undefined
    try {
      return draw()
    } catch (error) {
      if (error instanceof NothingSampled) return undefined
      throw error
    }
  }

  /** Draws `limit` and the page. Some pages are near the end. `most`: the list's maximum `limit`. */
  page(list: ListName, most = 100): Query {
    const limit = this.random.chance(0.6) ? undefined : this.random.pick([20, most])
    const pages = Math.ceil(this.#samples.rows[list] / (limit ?? 50))
    const kind = this.random.next()
    if (kind < FIRST_PAGES || pages < 2) return { limit }
    return { limit, page: kind < FIRST_PAGES + NEAR_PAGES ? this.random.int(2, Math.min(5, pages)) : this.random.int(2, pages) }
  }

  /** Draws a range of 1, 7, 30 or 365 days of the archive. */
  range(): Query {
    const from = this.of("day")
    return { from, to: new Date(Date.parse(from) + this.random.pick([1, 7, 30, 365]) * 86_400_000).toISOString().slice(0, 10) }
  }

  /** Returns the word with one letter left out, doubled, swapped with the next one or replaced. */
  typo(word: string): string {
    if (word.length < 4) return word
    const at = this.random.int(1, word.length - 2)
    const [before, one, next, after] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1), word.slice(at + 2)]
    return this.random.pick([
      before + next + after,
      before + one + one + next + after,
      before + next + one + after,
      `${before}x${next}${after}`,
    ])
  }
}

/** Builds `?a=1&b=2` from the values that are not undefined. */
export const query = (...parts: ReadonlyArray<Query>): string => {
  const given = parts.flatMap((part) => Object.entries(part)).filter(([, value]) => value !== undefined)
  return given.length === 0 ? "" : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`
}
