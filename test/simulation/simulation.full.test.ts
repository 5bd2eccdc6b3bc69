import { describe, it } from "@effect/vitest"
import { playSeed, playWholeHour } from "./playSeed.ts"
import { seedsThatFailed } from "./seeds.ts"

describe("an hour of matches with faults", () => {
  for (let seed = 6; seed <= 16; seed++) {
    it(`seed ${seed}: every client receives everything once, in order, in time`, () => playWholeHour(seed))
  }

  for (const { edition, found, seed } of seedsThatFailed) {
    it(`seed ${seed} (regression): ${found}`, () => {
      playSeed(seed, edition)
    })
  }
})
