import { assert, it } from "@effect/vitest"
import { measureCrowd } from "./measure.ts"
import { behaviors, transports } from "./orders.ts"

it("measures the cost of a group of clients and delivers every frame to every other client", async () => {
  for (const transport of transports) {
    for (const behavior of behaviors) {
      const load = { transport, clients: 20, readers: 5, matches: 3, rate: 50, bytes: 8_119, seconds: 1 }
      const { p99Ms, peakRssMb, rssMb, uneven, worstMs } = await measureCrowd(behavior, load)
      assert.strictEqual(uneven, 0)
      assert.isAtLeast(peakRssMb, rssMb)
      assert.isTrue(worstMs >= p99Ms && p99Ms > 0)
    }
  }
}, 60_000)
