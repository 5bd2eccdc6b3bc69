import { assert, describe, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { gameName } from "@matchpoint/domain/ids"
import { frameOfRecord, sizeOf } from "../src/Frame.ts"
import { KEEP_FINISHED_MS, LiveRooms } from "../src/LiveRooms.ts"
import { frame, id, record } from "./frames.ts"
import { games } from "./testGame.ts"

describe("LiveRooms", () => {
  it("ignores repeats, marks missing frames and follows epochs", () => {
    const rooms = new LiveRooms()
    const accepted = [1, 2, 2, 1, 5].map((seq) => rooms.accept(frame(seq)))
    assert.deepStrictEqual(accepted, [true, true, false, false, true])
    assert.strictEqual(rooms.get(id)?.missedFrames, 2)
    assert.deepStrictEqual(rooms.get(id)?.newest?.missing, { from: 3, to: 4 })
    assert.isTrue(rooms.accept(frame(1, { epoch: 2, position: 6 })))
    assert.isFalse(rooms.accept(frame(6, { position: 7 })))
    assert.deepStrictEqual([rooms.get(id)?.newest?.epoch, rooms.get(id)?.newest?.seq], [2, 1])
    assert.isUndefined(rooms.get(id)?.newest?.missing)
  })

  it("collects events and parses the newest document once", () => {
    const rooms = new LiveRooms()
    rooms.accept(frame(1, { event: { eventId: "a" } }))
    rooms.accept(frame(2))
    rooms.accept(frame(3, { event: { eventId: "b" } }))
    const room = rooms.get(id)
    assert.deepStrictEqual(
      room?.events.map((event) => event.eventId),
      ["a", "b"],
    )
    assert.strictEqual(room?.match, room?.match)
    assert.deepInclude(room?.match, { status: "live", n: 3 })
  })

  it("lists live matches by number and removes finished ones after a while", () => {
    const rooms = new LiveRooms()
    rooms.accept(frame(1))
    for (const n of [9, 10, 200]) rooms.accept(frame(1, { match: matchId(n), position: n + 1 }))
    assert.deepStrictEqual(
      rooms.live().map((room) => room.matchId),
      [matchId(9), matchId(10), matchId(200), id],
    )
    rooms.accept(frame(2, { status: "completed", position: 300 }))
    assert.strictEqual(rooms.live().length, 3)
    assert.deepStrictEqual(rooms.sweep(KEEP_FINISHED_MS), [])
    assert.deepStrictEqual(rooms.sweep(KEEP_FINISHED_MS + 3), [id])
    assert.isUndefined(rooms.get(id))
    assert.strictEqual(rooms.size, 3)
  })

  it("keeps the frames of all matches by position, and divides the bytes among the matches", () => {
    const one = sizeOf(frame(1))
    const bounds = { frames: 1_000, bytes: 1e9, ageMs: 1e9 }
    const rooms = new LiveRooms({ match: bounds, all: { ...bounds, frames: 5 }, totalBytes: 8 * (one + 20) })
    let position = 0
    for (let seq = 1; seq <= 10; seq += 1) {
      for (const n of [1, 2]) rooms.accept(frame(seq, { match: matchId(n), position: ++position }))
    }
    assert.deepStrictEqual(
      rooms.all.toArray().map((kept) => kept.position),
      [16, 17, 18, 19, 20],
    )
    assert.deepStrictEqual([rooms.position, rooms.all.droppedTo], [20, 15])
    for (const n of [1, 2]) assert.isAtMost(rooms.get(matchId(n))?.ring.size ?? 99, 4)
  })

  it("waits for a keyframe if the start of the log is gone, and does not accept a repeat as one", () => {
    const rooms = new LiveRooms()
    const change = { kind: "change" } as const
    assert.isFalse(rooms.accept(frame(485, { ...change, position: 1 })))
    assert.isFalse(rooms.accept(frame(486, { ...change, position: 2 })))
    // A stalled owner appends an old frame again, with its document.
    assert.isFalse(rooms.accept(frame(469, { position: 3 })))
    assert.isUndefined(rooms.get(id))
    assert.isTrue(rooms.isRefused(3))
    // A repeat of the newest frame has a document, so the room can start with it.
    assert.isTrue(rooms.accept(frame(486, { position: 4 })))
    assert.isTrue(rooms.accept(frame(487, { ...change, position: 5 })))
    assert.deepInclude(rooms.get(id)?.match, { n: 487 })
    assert.deepStrictEqual(rooms.viewsOf(rooms.get(id)?.ring.at(0) ?? assert.fail("no frame")).compact["n"], 486)
  })

  it("stores the frames of each match in memory of its own", () => {
    const rooms = new LiveRooms()
    const other = matchId(1)
    const blocks = [1, 2, 3].map((seq) =>
      [id, other].map((match, index) => {
        const made = frameOfRecord(record(seq, { match, position: 2 * seq + index }), games, rooms) ?? assert.fail("no frame")
        rooms.accept(made)
        assert.deepInclude(rooms.get(match)?.match, { n: seq })
        return made.record.delta.buffer
      }),
    )
    // The first record of a match is read before its room exists.
    assert.strictEqual(blocks[1]?.[0], blocks[2]?.[0])
    assert.strictEqual(blocks[1]?.[1], blocks[2]?.[1])
    assert.notStrictEqual(blocks[1]?.[0], blocks[1]?.[1])
  })

  it("shows a match that it does not read as its newest list entry does", () => {
    const rooms = new LiveRooms()
    const entry = (seq: number, position: number, status = "live") => rooms.acceptEntry(frame(seq, { kind: "kept", position, status }))
    entry(5, 50)
    entry(9, 90)
    entry(7, 70)
    assert.deepInclude(rooms.get(id)?.match, { n: 9 })
    assert.deepStrictEqual([rooms.get(id)?.ring.size, rooms.position, rooms.dueTo, rooms.revision], [1, 0, 90, 2])
    entry(11, 110, "completed")
    assert.deepStrictEqual([rooms.live(), rooms.known().length], [[], 1])
  })

  it("takes over matches that were read elsewhere, and starts the rings of several matches again", () => {
    const rooms = new LiveRooms()
    const [other, listed] = [matchId(7), matchId(8)]
    rooms.accept(frame(1, { position: 1 }))
    rooms.acceptEntry(frame(3, { match: other, kind: "kept", position: 4 }))
    rooms.acceptEntry(frame(3, { match: listed, kind: "kept", position: 5 }))
    rooms.accept(frame(2, { position: 6 }))
    const loaded = new LiveRooms()
    for (const seq of [1, 2, 2, 3]) loaded.accept(frame(seq, { match: other, position: 6 + seq }))
    rooms.adopt(loaded)
    assert.deepStrictEqual(
      [id, other, listed].map((match) => rooms.get(match)?.ring.size),
      [2, 3, 1],
    )
    assert.deepStrictEqual([rooms.position, rooms.isRefused(8), rooms.isRefused(7)], [9, true, false])
    // Frames of the other match are missing in it, so a client that resumes must read them from the log.
    const rings = [rooms.all, rooms.allOf(gameName("cs2")), rooms.allOf(gameName("tennis"))]
    assert.deepStrictEqual(
      rings.map(({ droppedTo, size }) => [droppedTo, size]),
      [
        [9, 0],
        [9, 0],
        [9, 0],
      ],
    )
    rooms.accept(frame(4, { match: other, position: 10 }))
    assert.deepStrictEqual([rooms.all.size, rooms.get(other)?.newest?.missing], [1, undefined])
  })

  it("ignores records of unknown ids, subjects, formats and games", () => {
    assert.isUndefined(frameOfRecord({ ...record(1), id: "something else" }, games))
    assert.isUndefined(frameOfRecord({ ...record(1), subject: "live.cs2.x" }, games))
    assert.isUndefined(frameOfRecord({ ...record(1), data: new TextEncoder().encode("of an earlier version") }, games))
    assert.isUndefined(frameOfRecord(record(1), new Map()))
  })
})
