import { assert, describe, it } from "@effect/vitest"
import { playWholeHour } from "./playSeed.ts"
import { simulateSeed } from "./simulateSeed.ts"

describe("an hour of matches with faults", () => {
  for (let seed = 2; seed <= 4; seed++) {
    it(`seed ${seed}: every client receives everything once, in order, in time`, () => playWholeHour(seed))
  }

  it("produces the same outcome for the same seed", () => {
    const [first, again, other] = [simulateSeed(4), simulateSeed(4), simulateSeed(5)]
    assert.deepStrictEqual(again, first)
    assert.notStrictEqual(other.digest, first.digest)
  })
})
