import { assert, describe, it } from "@effect/vitest"
import { measureStart, summaryOf } from "./measure.ts"

describe("start-memory", () => {
  it("summarizes samples: the first of each minute, the peak, and the highest of the last minute", () => {
    const samples = [900, 700, 600, 450, 480, 440].map((rssMb, n) => ({ second: n * 30, rssMb }))
    assert.deepStrictEqual(summaryOf(samples), {
      minutes: [
        { second: 0, rssMb: 900 },
        { second: 60, rssMb: 600 },
        { second: 120, rssMb: 480 },
        { second: 150, rssMb: 440 },
      ],
      peakMb: 900,
      endMb: 480,
    })
  })

  it.skipIf(process.platform !== "linux")(
    "measures the serving process and stops it",
    async () => {
      const { endMb, minutes, peakMb } = await measureStart({ seconds: 2, every: 1, matches: 1, speed: 1 }, () => {})
      assert.strictEqual(minutes.length, 2)
      // The start script alone uses about 50 MB.
      assert.isAbove(endMb, 150)
      assert.isAtLeast(peakMb, endMb)
    },
    120_000,
  )
})
