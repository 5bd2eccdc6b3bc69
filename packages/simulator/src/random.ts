/** Random numbers from a seed, the same on every machine. Not suitable for secrets. */

/**
 * sfc32 ("small fast counter") by Chris Doty-Humphrey, from his test suite PractRand (public domain). As the author
 * recommends, splitmix32 initializes the state, and the first twelve outputs are discarded.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #d = 1

  /** `seed` may be any safe integer. */
  constructor(seed: number) {
    this.#a = scramble(seed | 0)
    this.#b = scramble(Math.floor(seed / 0x1_0000_0000) ^ this.#a)
    this.#c = scramble(this.#a + this.#b)
    for (let i = 0; i < 12; i++) this.next()
  }

  /** 0 <= x < 1, in steps of 2^-32. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return (sum >>> 0) / 0x1_0000_0000
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** low <= x < high. */
  between(low: number, high: number): number {
    return low + (high - low) * this.next()
  }

  /** Both bounds included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** Exponentially distributed with the given mean. */
  wait(mean: number): number {
    return -mean * Math.log(1 - this.next())
  }

  /** Standard normal distribution, by the Box-Muller method. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }

  pick<A>(items: readonly [A, ...ReadonlyArray<A>]): A {
    return items[Math.floor(this.next() * items.length)] ?? items[0]
  }

  /** The probability is proportional to the weight. Undefined if there is no item. */
  weighted<A>(items: ReadonlyArray<A>, weightOf: (item: A) => number): A | undefined {
    let left = this.next() * items.reduce((sum, item) => sum + weightOf(item), 0)
    for (const item of items) {
      left -= weightOf(item)
      if (left < 0) return item
    }
    // A rounding error can leave a rest.
    return items.at(-1)
  }

  /** A copy, by the Fisher-Yates method. */
  shuffle<A>(items: ReadonlyArray<A>): Array<A> {
    const left = [...items]
    const shuffled: Array<A> = []
    while (left.length > 0) shuffled.push(...left.splice(Math.floor(this.next() * left.length), 1))
    return shuffled
  }
}

/** 32 bits, different for neighboring values of `n`. */
export const childSeed = (seed: number, n: number): number =>
  scramble(scramble(seed | 0) ^ scramble(Math.floor(seed / 0x1_0000_0000) + 1) ^ Math.imul(n, 0x9e3779b9)) >>> 0

/** One step of splitmix32, with constants found by Christopher Wellons' hash prospector. */
const scramble = (state: number): number => {
  let z = (state + 0x9e3779b9) | 0
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
  return z ^ (z >>> 15)
}
