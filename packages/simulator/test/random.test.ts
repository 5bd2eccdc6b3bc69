import { assert, describe, it } from "@effect/vitest"
import { childSeed, Random } from "../src/random.ts"

const draws = (seed: number, count: number) => {
  const random = new Random(seed)
  return Array.from({ length: count }, () => random.next())
}

describe("Random", () => {
  it("gives the same numbers for the same seed and different ones for another", () => {
    assert.deepStrictEqual(draws(1, 20), draws(1, 20))
    for (const other of [0, 2, -1, 1 + 2 ** 32, Number.MAX_SAFE_INTEGER]) assert.notDeepEqual(draws(1, 5), draws(other, 5))
  })

  it("keeps its sequence: recorded matches are continued from their seeds", () => {
    assert.deepStrictEqual(
      draws(42, 4).map((x) => x * 2 ** 32),
      [4_217_530_965, 448_310_705, 1_694_294_130, 1_789_336_715],
    )
  })

  it("is uniform in mean, variance and halves over many draws", () => {
    const numbers = draws(7, 100_000)
    const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length
    assert.closeTo(mean, 0.5, 0.005)
    assert.closeTo(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length, 1 / 12, 0.002)
    for (let tenth = 0; tenth < 10; tenth++) {
      assert.closeTo(numbers.filter((x) => Math.floor(x * 10) === tenth).length, 10_000, 400)
    }
  })

  it("draws integers including both bounds, and shuffles without losing items", () => {
    const random = new Random(3)
    assert.deepStrictEqual(new Set(Array.from({ length: 500 }, () => random.int(2, 5))), new Set([2, 3, 4, 5]))
    const shuffled = random.shuffle([1, 2, 3, 4, 5, 6, 7, 8])
    assert.deepStrictEqual([...shuffled].sort(), [1, 2, 3, 4, 5, 6, 7, 8])
  })

  it("draws normal and exponential distributions", () => {
    const random = new Random(5)
    const normals = Array.from({ length: 50_000 }, () => random.normal())
    assert.closeTo(normals.reduce((sum, x) => sum + x, 0) / normals.length, 0, 0.02)
    assert.closeTo(normals.reduce((sum, x) => sum + x * x, 0) / normals.length, 1, 0.03)
    const waits = Array.from({ length: 50_000 }, () => random.wait(10))
    assert.closeTo(waits.reduce((sum, x) => sum + x, 0) / waits.length, 10, 0.3)
    assert.isTrue(waits.every((wait) => wait >= 0 && Number.isFinite(wait)))
  })

  it("derives different child seeds for neighbouring seeds and numbers", () => {
    const seeds = [0, 1, 2, 2 ** 40].flatMap((seed) => Array.from({ length: 2_000 }, (_, n) => childSeed(seed, n)))
    assert.strictEqual(new Set(seeds).size, seeds.length)
  })
})
