import { assert, describe, it } from "@effect/vitest"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { FrameRing } from "../src/FrameRing.ts"
import { KEEP_FINISHED_MS, LiveRooms } from "../src/LiveRooms.ts"

const utf8 = new TextEncoder()
const id = matchId(1001)

const bytesOf = (seq: number, status = "live", event: object | null = null) =>
  utf8.encode(`{"type":"cs2.live.update","seq":${seq},"event":${JSON.stringify(event)},"data":{"status":"${status}"}}`)

const record = (
  seq: number,
  options: { readonly epoch?: number; readonly at?: number; readonly status?: string; readonly event?: object } = {},
) => ({
  subject: liveSubject(id),
  id: liveMessageId(id, options.epoch ?? 1, seq),
  data: bytesOf(seq, options.status, options.event ?? null),
  appendedAt: options.at ?? seq,
})

describe("FrameRing", () => {
  const frame = (seq: number, at = seq, size = 10) => ({ epoch: 1, seq, at, bytes: new Uint8Array(size) })
  const seqs = (ring: FrameRing) => ring.toArray().map((one) => one.seq)

  it("is bounded by count, bytes and age, and keeps the newest always", () => {
    const byCount = new FrameRing({ frames: 3, bytes: 1e9, ageMs: 1e9 })
    for (let seq = 1; seq <= 500; seq += 1) byCount.push(frame(seq))
    assert.deepStrictEqual(seqs(byCount), [498, 499, 500])
    assert.strictEqual(byCount.bytes, 30)
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

  it.prop(
    "always holds a tail of what was pushed",
    { sizes: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))).check(Schema.isMaxLength(300)) },
    ({ sizes }) => {
      const ring = new FrameRing({ frames: 20, bytes: 200, ageMs: 1e9 })
      for (const [seq, size] of sizes.entries()) ring.push(frame(seq, seq, size))
      const kept = seqs(ring)
      assert.deepStrictEqual(kept, sizes.map((_, seq) => seq).slice(sizes.length - kept.length))
      assert.strictEqual(
        ring.bytes,
        ring.toArray().reduce((sum, one) => sum + one.bytes.length, 0),
      )
      assert.isTrue(kept.length <= 20 && (ring.bytes <= 200 || kept.length === 1))
    },
  )
})

describe("LiveRooms", () => {
  it("drops what it has passed, counts what never came, follows epochs", () => {
    const rooms = new LiveRooms()
    const accepted = [1, 2, 2, 1, 5].map((seq) => rooms.accept(record(seq)) !== undefined)
    assert.deepStrictEqual(accepted, [true, true, false, false, true])
    assert.strictEqual(rooms.get(id)?.missedFrames, 2)
    assert.isDefined(rooms.accept(record(1, { epoch: 2 })))
    assert.isUndefined(rooms.accept(record(6)))
    assert.deepStrictEqual([rooms.get(id)?.newest?.epoch, rooms.get(id)?.newest?.seq], [2, 1])
  })

  it("collects events and parses the newest document once", () => {
    const rooms = new LiveRooms()
    rooms.accept(record(1, { event: { eventId: "a" } }))
    rooms.accept(record(2))
    rooms.accept(record(3, { event: { eventId: "b" } }))
    const room = rooms.get(id)
    assert.deepStrictEqual(
      room?.events.map((event) => event.eventId),
      ["a", "b"],
    )
    assert.strictEqual(room?.match, room?.match)
    assert.strictEqual(room?.match?.status, "live")
  })

  it("lists the live ones by number and forgets the finished after a while", () => {
    const rooms = new LiveRooms()
    rooms.accept(record(1))
    for (const n of [9, 10, 200]) rooms.accept({ ...record(1), subject: `live.cs2.${n}`, id: `cs2-match-${n}:1:1` })
    assert.deepStrictEqual(
      rooms.live().map((room) => room.matchId),
      [matchId(9), matchId(10), matchId(200), id],
    )
    rooms.accept(record(2, { status: "completed" }))
    assert.strictEqual(rooms.live().length, 3)
    assert.deepStrictEqual(rooms.sweep(KEEP_FINISHED_MS), [])
    assert.deepStrictEqual(rooms.sweep(KEEP_FINISHED_MS + 3), [id])
    assert.isUndefined(rooms.get(id))
    assert.strictEqual(rooms.size, 3)
  })

  it("is not disturbed by records that are none of ours", () => {
    const rooms = new LiveRooms()
    assert.isUndefined(rooms.accept({ ...record(1), id: "something else" }))
    assert.isUndefined(rooms.accept({ ...record(1), subject: "live.cs2.x" }))
    assert.strictEqual(rooms.size, 0)
  })
})
