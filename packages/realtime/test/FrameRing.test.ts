import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Frame } from "../src/Frame.ts"
import { FrameRing } from "../src/FrameRing.ts"
import { frame as whole } from "./frames.ts"
import { retained } from "./retained.ts"

const frame = (seq: number, at = seq, size = 10): Frame => ({
  ...whole(seq, { at }),
  record: { kind: "keyframe", delta: new Uint8Array(size), rest: new Uint8Array(0), size },
})
const seqs = (ring: FrameRing) => ring.toArray().map((one) => one.seq)

describe("FrameRing", () => {
  it("is bounded by number, bytes and age, and always keeps the newest frame", () => {
    const byCount = new FrameRing({ frames: 3, bytes: 1e9, ageMs: 1e9 })
    for (let seq = 1; seq <= 500; seq += 1) byCount.push(frame(seq))
    assert.deepStrictEqual(seqs(byCount), [498, 499, 500])
    assert.deepStrictEqual([byCount.bytes, byCount.droppedTo], [30, 497])
    const byBytes = new FrameRing({ frames: 100, bytes: 25, ageMs: 1e9 })
    for (let seq = 1; seq <= 5; seq += 1) byBytes.push(frame(seq))
    assert.deepStrictEqual(seqs(byBytes), [4, 5])
    byBytes.push(frame(6, 6, 1_000))
    assert.deepStrictEqual(seqs(byBytes), [6])
    const byAge = new FrameRing({ frames: 100, bytes: 1e9, ageMs: 100 })
    byAge.push(frame(1, 0))
    byAge.push(frame(2, 90))
    byAge.push(frame(3, 150))
    assert.deepStrictEqual(seqs(byAge), [2, 3])
    byAge.prune(10_000)
    assert.deepStrictEqual(seqs(byAge), [3])
  })

  it("frees the bytes of dropped frames", async () => {
    const ring = new FrameRing({ frames: 3, bytes: 1e9, ageMs: 1e9 })
    const pushed = Array.from({ length: 60 }, (_, seq) => {
      const one = frame(seq)
      ring.push(one)
      return new WeakRef(one)
    })
    assert.deepStrictEqual(await retained(pushed), [57, 58, 59])
    assert.deepStrictEqual(seqs(ring), [57, 58, 59])
  })

  it.prop(
    "holds the last frames pushed, and finds the first frame after any place",
    { sizes: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))).check(Schema.isMaxLength(300)) },
    ({ sizes }) => {
      const ring = new FrameRing({ frames: 20, bytes: 200, ageMs: 1e9 })
      for (const [seq, size] of sizes.entries()) ring.push(frame(seq, seq, size))
      const kept = seqs(ring)
      assert.deepStrictEqual(kept, sizes.map((_, seq) => seq).slice(sizes.length - kept.length))
      assert.strictEqual(
        ring.bytes,
        ring.toArray().reduce((sum, one) => sum + one.record.size, 0),
      )
      assert.isTrue(kept.length <= 20 && (ring.bytes <= 200 || kept.length === 1))
      for (let place = -1; place <= sizes.length; place += 1) {
        const expected = kept.filter((seq) => seq > place)
        assert.deepStrictEqual(seqs(ring).slice(ring.indexAfter(place)), expected)
        assert.deepStrictEqual(seqs(ring).slice(ring.indexAfterCursor({ epoch: 1, seq: place })), expected)
      }
    },
  )
})
