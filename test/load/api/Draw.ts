// Owns how requests are drawn: what is asked for often and what seldom, which page, which filters. Seeded: the same seed, the same requests.
import { Random } from "@matchpoint/simulator/random"
import type { ListName, SampleName, Samples } from "./samples.ts"

/** The database holds nothing of it, so that an endpoint cannot be asked. */
export class NothingSampled extends Error {
  constructor(what: SampleName) {
    super(`the database holds no ${what}`)
  }
}

/** Of requests for one thing; the rest are for any. */
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

  /** The best known of the hot ones most often. */
  of(name: SampleName): string {
    const { cold, hot } = this.#samples.of[name]
    const place = this.random.chance(HOT_SHARE) ? hot[Math.floor(hot.length * this.random.next() ** 2)] : undefined
    const drawn = place ?? cold[this.random.int(0, cold.length - 1)] ?? hot[0]
    if (drawn === undefined) throw new NothingSampled(name)
    return drawn
  }

  /** Of what only some requests ask with; undefined as well when the database holds nothing to ask with. */
  maybe<A>(chance: number, draw: () => A): A | undefined {
    if (!this.random.chance(chance)) return undefined
    try {
      return draw()
    } catch (error) {
      if (error instanceof NothingSampled) return undefined
      throw error
    }
  }

  /** `limit` and the page; some pages are far behind. `most`: the list's largest `limit`. */
  page(list: ListName, most = 100): Query {
    const limit = this.random.chance(0.6) ? undefined : this.random.pick([20, most])
    const pages = Math.ceil(this.#samples.rows[list] / (limit ?? 50))
    const kind = this.random.next()
    if (kind < FIRST_PAGES || pages < 2) return { limit }
    return { limit, page: kind < FIRST_PAGES + NEAR_PAGES ? this.random.int(2, Math.min(5, pages)) : this.random.int(2, pages) }
  }

  /** Some weeks of the archive. */
  range(): Query {
    const from = this.of("day")
    return { from, to: new Date(Date.parse(from) + this.random.pick([1, 7, 30, 365]) * 86_400_000).toISOString().slice(0, 10) }
  }

  /** A word with one letter left out, doubled, changed with its neighbour or replaced. */
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

/** `?a=1&b=2` of what is not undefined. */
export const query = (...parts: ReadonlyArray<Query>): string => {
  const given = parts.flatMap((part) => Object.entries(part)).filter(([, value]) => value !== undefined)
  return given.length === 0 ? "" : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`
}
