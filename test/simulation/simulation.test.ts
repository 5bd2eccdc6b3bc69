import { assert, describe, it } from "@effect/vitest"
import { playWholeHour } from "./playSeed.ts"
import { simulateSeed } from "./simulateSeed.ts"

describe("an hour of matches with faults", () => {
  for (let seed = 1; seed <= 5; seed++) {
    it(`seed ${seed}: every client receives everything once, in order, in time`, () => playWholeHour(seed))
  }

  it("plays the same seed in the same way", () => {
    const [first, again, other] = [simulateSeed(2), simulateSeed(2), simulateSeed(3)]
    assert.deepStrictEqual(again, first)
    assert.notStrictEqual(other.digest, first.digest)
  })
})
