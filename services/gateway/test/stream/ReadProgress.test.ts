import { assert, describe, it } from "@effect/vitest"
import { ReadProgress } from "../../src/stream/ReadProgress.ts"

const KB = 1_024

describe("ReadProgress", () => {
  it("asks once after 64 KB, and not a client to which little is published", () => {
    const progress = new ReadProgress()
    assert.isUndefined(progress.check(63 * KB, 0, 1_000))
    assert.isUndefined(progress.check(63 * KB, 1e6, 1_000))
    assert.strictEqual(progress.check(64 * KB, 1e6, 1_000), "ask")
    assert.isUndefined(progress.check(65 * KB, 1e6 + 10, 1_000))
  })

  it("takes a client without an answer for stopped after a second, once, if 256 KB wait for it", () => {
    const progress = new ReadProgress()
    assert.strictEqual(progress.check(64 * KB, 0, 1_000), "ask")
    assert.isUndefined(progress.check(300 * KB, 999, 1_000))
    assert.strictEqual(progress.check(300 * KB, 1_000, 1_000), "stopped")
    assert.isUndefined(progress.check(300 * KB, 1_500, 1_000))
    assert.isTrue(progress.answered())
    assert.isFalse(progress.answered())
  })

  it("asks again if no answer came, because a ping may have been dropped", () => {
    const progress = new ReadProgress()
    assert.strictEqual(progress.check(64 * KB, 0, 1_000), "ask")
    assert.strictEqual(progress.check(255 * KB, 1_000, 1_000), "ask")
    assert.strictEqual(progress.check(300 * KB, 2_000, 1_000), "stopped")
    assert.strictEqual(progress.check(300 * KB, 3_000, 1_000), "ask")
    assert.isTrue(progress.answered())
  })

  it("asks a client that answers less often, up to 2 MB, and one that had stopped as often as at first", () => {
    const progress = new ReadProgress()
    let published = 0
    for (const kb of [64, 128, 256, 512, 1_024, 2_048, 2_048]) {
      assert.isUndefined(progress.check(published + kb * KB - 1, 0, 1_000))
      published += kb * KB
      assert.strictEqual(progress.check(published, 0, 1_000), "ask")
      assert.isFalse(progress.answered())
    }
    assert.strictEqual(progress.check(published + 2_048 * KB, 0, 1_000), "ask")
    assert.strictEqual(progress.check(published + 2_048 * KB, 1_000, 1_000), "stopped")
    assert.isTrue(progress.answered())
    assert.strictEqual(progress.check(published + (2_048 + 64) * KB, 2_000, 1_000), "ask")
  })

  it("never stops a client that answers, however much is published", () => {
    const progress = new ReadProgress()
    for (let second = 0; second < 100; second++) {
      assert.notStrictEqual(progress.check(second * 10_000 * KB, second * 1_000, 1_000), "stopped")
      assert.isFalse(progress.answered())
    }
  })
})
