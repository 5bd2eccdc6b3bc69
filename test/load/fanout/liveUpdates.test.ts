import { assert, describe, it } from "@effect/vitest"
import { decodeUpdate, encodeUpdate } from "@matchpoint/contracts/stream/frames"
import { Result } from "effect"
import { AFTER_STAMP, liveUpdates, STAMP_DIGITS } from "./liveUpdates.ts"

describe("liveUpdates", () => {
  it("makes valid updates of exactly one size, whatever their number", () => {
    const updates = liveUpdates(2_048)
    assert.strictEqual(updates.bytes, 2_048)
    for (const seq of [1, 9, 10, 999, 123_456, 999_999_999]) {
      const encoded = encodeUpdate(updates.make(seq, 1_234.5))
      assert.strictEqual(encoded.length, 2_048)
      assert.isTrue(Result.isSuccess(decodeUpdate(encoded)))
    }
  })

  it("says the least size when asked for less", () => {
    const updates = liveUpdates(1)
    assert.isAbove(updates.bytes, 500)
    assert.strictEqual(encodeUpdate(updates.make(1, 0)).length, updates.bytes)
  })

  it("ends with the time at which the update was due", () => {
    const text = new TextDecoder().decode(encodeUpdate(liveUpdates(1_500).make(7, 42_000_000.4)))
    const stamp = text.slice(-AFTER_STAMP.length - STAMP_DIGITS, -AFTER_STAMP.length)
    assert.strictEqual(Number(stamp), 42_000_000)
    assert.isTrue(text.endsWith(AFTER_STAMP))
  })
})
