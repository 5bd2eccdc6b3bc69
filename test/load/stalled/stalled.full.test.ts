import { assert, it } from "@effect/vitest"
import { measureCrowd } from "./measure.ts"
import { transports } from "./orders.ts"

it("measures the cost of clients that never read, and delivers every frame to every client that reads", async () => {
  for (const transport of transports) {
    const load = { transport, clients: 20, ramp: 20, readers: 2, matches: 3, rate: 50, bytes: 8_119, seconds: 2 }
    const { p99Ms, peakRssMb, rssMb, uneven, worstMs } = await measureCrowd(load)
    assert.strictEqual(uneven, 0)
    assert.isAtLeast(peakRssMb, rssMb)
    assert.isTrue(worstMs >= p99Ms && p99Ms > 0)
  }
}, 60_000)
