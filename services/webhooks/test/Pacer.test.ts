import { assert, describe, it } from "vitest"
import { Pacer } from "../src/Pacer.ts"

const NOW = 1_700_000_000_000

describe("Pacer", () => {
  it("spaces the deliveries of each subscription in whole milliseconds, and does not limit without a limit", () => {
    const pacer = new Pacer()
    assert.deepStrictEqual([pacer.reserve("a", 3, NOW), pacer.reserve("b", 3, NOW)], [NOW, NOW])
    const next = pacer.reserve("a", 3, NOW)
    assert.isTrue(Number.isInteger(next) && next > NOW && next <= NOW + 334)
    assert.strictEqual(pacer.reserve("a", 3, next), next)
    for (let count = 0; count < 3; count += 1) assert.strictEqual(pacer.reserve("c", null, NOW), NOW)
  })

  it("does not stop a subscription if the clock is set back", () => {
    const pacer = new Pacer()
    pacer.reserve("a", 1, NOW)
    const earlier = NOW - 3_600_000
    assert.strictEqual(pacer.reserve("a", 1, earlier), earlier)
    assert.strictEqual(pacer.reserve("a", 1, earlier), earlier + 1_000)
  })
})
