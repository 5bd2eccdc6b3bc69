import { assert, describe, it } from "@effect/vitest"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { decodeDelta, decodeUpdate } from "@matchpoint/cs2/contract/frames"
import { Result } from "effect"
import { LiveReader, type ReadChange } from "../../fixtures/clients/LiveReader.ts"
import { type Changes, changesOf, FEED_STARTS_AT } from "./changes.ts"

const stampedAt = Date.parse("2026-11-21T10:00:00.000Z")

const recordAt = (changes: Changes, seq: number) => {
  const { epoch, matchId, record } = changes.make(seq)
  return {
    subject: liveSubject(matchId),
    id: liveMessageId(matchId, epoch, seq),
    sequence: seq,
    data: record(),
    appendedAt: stampedAt,
  }
}

describe("changes", () => {
  it("are valid frames of exactly one size, whatever their number, equal to the frames that the gateway makes of the record", () => {
    for (const shape of ["v1", "v2"] as const) {
      const changes = changesOf({ kind: "frames", shape, bytes: 2_048 })
      assert.strictEqual(changes.frameBytes, 2_048)
      for (const seq of [2, 9, 10, 32, 999, 123_456, 999_999_999]) {
        const change = changes.make(seq)
        const frame = change.frame()
        assert.strictEqual(frame.length, 2_048)
        assert.isTrue(shape === "v1" ? Result.isSuccess(decodeUpdate(frame)) : Result.isSuccess(decodeDelta(frame)))
        // Starts at the keyframe, as the gateway does.
        const reader = new LiveReader()
        let read: ReadChange | undefined
        for (let at = Math.max(1, seq - (seq % 32)); at <= seq; at++) read = reader.take(recordAt(changes, at))
        assert.deepStrictEqual(shape === "v1" ? read?.update : read?.delta, frame)
      }
    }
  })

  it("have the minimum size if less is requested", () => {
    const changes = changesOf({ kind: "frames", shape: "v1", bytes: 1 })
    assert.isAbove(changes.frameBytes, 500)
    assert.strictEqual(changes.make(1).frame().length, changes.frameBytes)
  })

  it("of a feed equal the frames that a match actor makes of its facts", () => {
    const changes = changesOf({ kind: "feed", shape: "v1", bytes: 0 })
    for (const seq of [1, FEED_STARTS_AT, 2_900]) {
      const change = changes.make(seq)
      assert.isDefined(change.event)
      const decoded = decodeUpdate(change.frame())
      assert.isTrue(Result.isSuccess(decoded) && decoded.success.seq === seq)
    }
    assert.isAbove(changes.frameBytes, 1_000)
  })
})
