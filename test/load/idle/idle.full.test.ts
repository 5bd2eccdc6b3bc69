import { assert, it } from "@effect/vitest"
import { measureIdle } from "./measure.ts"

it("measures the memory of sockets while all stay connected", async () => {
  for (const variant of ["raw", "ours"] as const) {
    const { connected, heapBytesPerSocket } = await measureIdle(variant, 100)
    assert.strictEqual(connected, 100)
    assert.isTrue(Number.isFinite(heapBytesPerSocket))
  }
}, 60_000)
