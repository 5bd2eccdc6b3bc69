import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { MatchRoom } from "../src/MatchRoom.ts"
import { broken, frame, id } from "./frames.ts"

const bounds = { frames: 8, bytes: 1e6, ageMs: 1e6 }

const Step = Schema.Struct({
  kind: Schema.Literals(["change", "change", "change", "keyframe", "replacing"]),
  status: Schema.Literals(["live", "live", "completed"]),
  hasEvent: Schema.Boolean,
  isLost: Schema.Boolean,
  isRead: Schema.Boolean,
})

describe("MatchRoom", () => {
  it.prop("has the state, status and events of its newest frame, whenever they are read", { steps: Schema.Array(Step) }, ({ steps }) => {
    const room = new MatchRoom(id, bounds)
    room.accept(frame(1, { kind: "first" }))
    let before = { seq: 1, status: "live" }
    let newest = before
    const events: Array<string> = []
    const assertState = () => {
      assert.deepStrictEqual(room.match, { matchId: id, status: newest.status, source: "live", n: newest.seq })
      assert.strictEqual(room.status, newest.status)
      assert.deepStrictEqual(
        room.events.map(({ eventId }) => eventId),
        events,
      )
    }
    for (const { hasEvent, isLost, isRead, kind, status } of steps) {
      const now = { seq: before.seq + 1, status }
      const options = {
        kind,
        status,
        patch: status === before.status ? {} : { status },
        ...(hasEvent ? { event: { eventId: `e${now.seq}` } } : {}),
      }
      const canFollow = kind !== "change" || newest === before
      before = now
      if (!isLost) {
        assert.strictEqual(room.accept(frame(now.seq, options)), canFollow ? "taken" : "baseless")
        if (canFollow) newest = now
        if (canFollow && hasEvent) events.push(`e${now.seq}`)
      }
      if (isRead) assertState()
    }
    assertState()
  })

  it("parses no delta until it is read, and then only the frames since the last keyframe", () => {
    const room = new MatchRoom(id, bounds)
    const frames = [frame(1), broken(frame(2, { kind: "change" })), frame(3, { kind: "change" })]
    for (const one of frames) assert.strictEqual(room.accept(one), "taken")
    assert.throws(() => room.views)
    for (const one of [frame(4), frame(5, { kind: "change" })]) assert.strictEqual(room.accept(one), "taken")
    assert.deepInclude(room.match, { n: 5 })
  })

  it("does not compute the state for its status if the status cannot have changed", () => {
    const room = new MatchRoom(id, bounds)
    room.accept(frame(1))
    assert.strictEqual(room.status, "live")
    room.accept(broken(frame(2, { kind: "change", patch: {} })))
    assert.strictEqual(room.status, "live")
    assert.throws(() => room.views)
  })

  it("has no status from a change that cannot be parsed to the next keyframe", () => {
    const room = new MatchRoom(id, bounds)
    room.accept(broken(frame(1)))
    assert.deepStrictEqual([room.status, room.isLive], [undefined, false])
    room.accept(frame(2))
    assert.strictEqual(room.status, "live")
  })

  it("shares the unchanged parts of consecutive states", () => {
    const room = new MatchRoom(id, bounds)
    room.accept(frame(1, { patch: { teams: { home: { name: "A" } } } }))
    room.accept(frame(2, { kind: "change", patch: { teams: { home: { name: "A" } } } }))
    const teams = room.views?.compact["teams"]
    room.accept(frame(3, { patch: {} }))
    assert.isDefined(teams)
    assert.strictEqual(room.views?.compact["teams"], teams)
  })

  it("drops the oldest events beyond 5,000", () => {
    const room = new MatchRoom(id, bounds)
    for (let seq = 1; seq <= 5_001; seq += 1) room.accept(frame(seq, { event: { eventId: `e${seq}` } }))
    assert.deepStrictEqual([room.events.length, room.events[0]?.eventId, room.events.at(-1)?.eventId], [4_501, "e501", "e5001"])
  })
})
