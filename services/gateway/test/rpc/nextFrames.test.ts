import { assert, describe, it } from "@effect/vitest"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { contractsOf } from "@matchpoint/contracts/game/LiveContract"
import type { MatchCursor } from "@matchpoint/contracts/rpc/errors"
import { match } from "@matchpoint/cs2/contract/asyncapi/exampleMatch"
import { changeRecord } from "@matchpoint/cs2/contract/changeRecord"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { type Frame, frameOfRecord } from "@matchpoint/realtime/Frame"
import { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import { Schema } from "effect"
import { FrameSignals } from "../../src/rpc/FrameSignals.ts"
import { MAX_BYTES, MAX_FRAMES, nextFrames } from "../../src/rpc/nextFrames.ts"

const { matchId } = match

const frame = (epoch: number, seq: number, status: "live" | "completed" = "live", filler = ""): Frame => {
  const time = "2026-03-01T18:00:00.000Z"
  const after = { ...match, status, eventName: filler }
  const data = changeRecord({ matchId, epoch, seq, observedAt: time, receivedAt: time, before: undefined, after })
  const position = epoch * 1_000 + seq
  const record = { subject: liveSubject(matchId), id: liveMessageId(matchId, epoch, seq), sequence: position, data, appendedAt: 0 }
  return frameOfRecord(record, games) ?? assert.fail("not a frame")
}

const games = contractsOf([cs2Live])
const bytesOf = (one: Frame) => one.record.delta.length

const roomOf = (frames: ReadonlyArray<Frame>, keep = 1_000) => {
  const room = new MatchRoom(matchId, { frames: keep, bytes: 1e9, ageMs: 1e9 })
  for (const one of frames) room.accept(one)
  return room
}

const seqsFrom = (room: MatchRoom, cursor: MatchCursor): ReadonlyArray<number> | string => {
  const next = nextFrames(room, cursor, bytesOf)
  return next._tag === "Frames" ? next.frames.map(({ seq }) => seq) : next._tag
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const at = (seq: number, epoch = 1) => ({ epoch, seq })

describe("nextFrames", () => {
  it("returns the frames after the cursor in several parts", () => {
    const room = roomOf(range(1, 40).map((seq) => frame(1, seq)))
    assert.deepStrictEqual(seqsFrom(room, at(0)), range(1, MAX_FRAMES))
    assert.deepStrictEqual(seqsFrom(room, at(30)), range(31, 40))
    assert.strictEqual(seqsFrom(room, at(40)), "Wait")
    assert.strictEqual(seqsFrom(room, at(41)), "Wait")
  })

  it("returns one frame of any size, and otherwise no more than fits one message", () => {
    const big = "x".repeat(MAX_BYTES)
    const room = roomOf([frame(1, 1, "live", big), frame(1, 2, "live", big), frame(1, 3)])
    assert.deepStrictEqual(seqsFrom(room, at(0)), [1])
    assert.deepStrictEqual(seqsFrom(room, at(1)), [2])
  })

  it("returns `Over` only if the match has ended and all frames were returned", () => {
    const room = roomOf([frame(1, 1), frame(1, 2, "completed")])
    assert.deepStrictEqual(seqsFrom(room, at(1)), [2])
    assert.strictEqual(seqsFrom(room, at(2)), "Over")
  })

  it("returns `Gone` if frames are no longer kept, with the cursor from which all are", () => {
    const room = roomOf(
      range(1, 20).map((seq) => frame(1, seq)),
      5,
    )
    assert.deepStrictEqual(nextFrames(room, at(9), bytesOf), { _tag: "Gone", resume: at(15) })
    assert.deepStrictEqual(seqsFrom(room, at(15)), range(16, 20))
  })

  it("returns `Gone` if the log had dropped frames, and never skips them silently", () => {
    const room = roomOf([frame(1, 1), frame(1, 2), frame(1, 6), frame(1, 7)])
    assert.deepStrictEqual(seqsFrom(room, at(0)), [1, 2])
    assert.deepStrictEqual(nextFrames(room, at(2), bytesOf), { _tag: "Gone", resume: at(5) })
    assert.deepStrictEqual(seqsFrom(room, at(5)), [6, 7])
  })

  it("continues into a new epoch only after the frame before it", () => {
    const room = roomOf([frame(1, 8), frame(1, 9), frame(2, 4), frame(2, 5)])
    assert.deepStrictEqual(seqsFrom(room, at(8)), [9, 4, 5])
    assert.deepStrictEqual(seqsFrom(room, at(9)), [4, 5])
    assert.deepStrictEqual(nextFrames(room, at(20), bytesOf), { _tag: "Gone", resume: at(3, 2) })
    assert.deepStrictEqual(seqsFrom(room, at(3, 2)), [4, 5])
  })

  it.prop(
    "reports all missing frames, and a follower that resumes gets every kept frame once and in order",
    {
      kept: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })),
      lost: Schema.Array(Schema.Boolean).check(Schema.isMaxLength(100)),
    },
    ({ kept, lost }) => {
      const published = lost.flatMap((isLost, index) => (isLost ? [] : [frame(1, index + 1)]))
      const room = roomOf(published, kept)
      const got: Array<number> = []
      let cursor: MatchCursor = at(0)
      for (let next = nextFrames(room, cursor, bytesOf); next._tag !== "Wait"; next = nextFrames(room, cursor, bytesOf)) {
        if (next._tag === "Over") return assert.fail("the match is not over")
        if (next._tag === "Frames") {
          const seqs = next.frames.map(({ seq }) => seq)
          assert.deepStrictEqual(seqs, range(cursor.seq + 1, cursor.seq + seqs.length))
          got.push(...seqs)
        }
        const reached: MatchCursor | undefined = next._tag === "Gone" ? next.resume : next.frames.at(-1)
        if (reached === undefined || reached.seq <= cursor.seq) return assert.fail("no step forward")
        cursor = reached
      }
      assert.deepStrictEqual(
        got,
        published.slice(-kept).map(({ seq }) => seq),
      )
    },
  )
})

describe("FrameSignals", () => {
  it("wakes the followers of the match until they leave", () => {
    let tell: (frame: Frame) => void = () => {}
    let listening = true
    const signals = new FrameSignals({
      listen: (listener) => {
        tell = listener
        return () => {
          listening = false
        }
      },
    })
    const woken: Array<string> = []
    const leave = signals.on(matchId, () => woken.push("a"))
    const leaveToo = signals.on(matchId, () => woken.push("b"))
    tell(frame(1, 1))
    leave()
    tell(frame(1, 2))
    leaveToo()
    tell(frame(1, 3))
    assert.deepStrictEqual(woken, ["a", "b", "b"])
    assert.strictEqual(signals.size, 0)
    signals.stop()
    assert.isFalse(listening)
  })
})
