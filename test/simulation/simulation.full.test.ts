import { describe, it } from "@effect/vitest"
import { playSeed, playWholeHour } from "./playSeed.ts"
import { seedsThatFailed } from "./seeds.ts"

describe("an hour of matches with faults", () => {
  for (const seed of [1, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]) {
    it(`seed ${seed}: every client receives everything once, in order, in time`, () => playWholeHour(seed))
  }

  for (const { edition, found, seed } of seedsThatFailed) {
    it(`seed ${seed} (regression): ${found}`, () => {
      playSeed(seed, edition)
    })
  }
})
