/** The rules of following, one by one. */
import { assert, describe, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect } from "effect"
import { beat, caughtUp, compact, delta, Follower, followed, id, room, update } from "./Follower.ts"

const test = (name: string, run: () => void) => it.effect(name, () => Effect.sync(run))

describe("step", () => {
  test("subscribes without a cursor first, and with it after a disconnect", () => {
    const follower = new Follower("v2")
    assert.deepStrictEqual(follower.last.send, [{ action: "subscribe", rooms: [room], shape: "v2" }])
    follower.receive(compact(1))
    follower.receive(caughtUp)
    follower.receive(delta(2))
    const { next } = follower.give({ _tag: "Closed", code: 1006, reason: "", now: 0, random: 1 })
    assert.deepStrictEqual(next, { _tag: "Reconnect", afterMs: 250, atLeastMs: 0 })
    const resume = { [room]: { matchId: id, epoch: 1, seq: 2, position: 20 } }
    assert.deepStrictEqual(follower.give({ _tag: "Opened" }).send, [{ action: "subscribe", rooms: [room], resume, shape: "v2" }])
  })

  test("applies deltas, and shares unchanged parts of the document", () => {
    const follower = followed()
    follower.receive(delta(2, 1, { patch: { players: { a: { hp: 1 }, b: { hp: 2 } } } }))
    const [before] = follower.changes
    follower.receive(delta(3, 2, { patch: { players: { a: { hp: 0 } } } }))
    const [after] = follower.changes
    assert.deepStrictEqual<unknown>(after?.match, { status: "live", seq: 1, players: { a: { hp: 0 }, b: { hp: 2 } } })
    const playersOf = (match: unknown) => (match as { readonly players: Record<string, unknown> }).players
    assert.strictEqual(playersOf(after?.match)["b"], playersOf(before?.match)["b"])
    assert.deepStrictEqual<unknown>(playersOf(before?.match)["a"], { hp: 1 })
  })

  test("drops frames that it has delivered", () => {
    const follower = followed()
    follower.receive(delta(2))
    assert.strictEqual(follower.changes.length, 1)
    assert.deepStrictEqual(follower.receive(delta(2)).emit, [])
    assert.deepStrictEqual(follower.receive(compact(1)).emit, [])
  })

  test("requests the frames after a hole again; if they do not arrive, reports them as missing and requests the document", () => {
    const follower = followed()
    follower.receive(delta(4))
    assert.deepStrictEqual(follower.changes, [])
    assert.deepStrictEqual(follower.last.send[0]?.action, "subscribe")
    follower.receive({ type: "resumed", room, verdict: "recovered", missing: [] })
    follower.receive(delta(4))
    follower.receive(caughtUp)
    assert.deepStrictEqual(follower.last.send, [{ action: "resync", rooms: [room] }])
    follower.receive(compact(4))
    const [change] = follower.changes
    assert.deepStrictEqual([change?.base, change?.seq, change?.missing], [1, 4, [{ from: 2, to: 3 }]])
    assert.deepStrictEqual<unknown>(change?.events, [{ eventId: "e4" }])
  })

  test("never delivers a document that does not match its hash", () => {
    const follower = followed()
    follower.receive(delta(2, 1, { hash: "00000000" }))
    assert.deepStrictEqual(follower.changes, [])
    assert.deepStrictEqual(follower.last.send, [{ action: "resync", rooms: [room] }])
    follower.receive(delta(3))
    assert.deepStrictEqual(follower.changes, [])
    follower.receive(compact(3))
    const [change] = follower.changes
    assert.deepStrictEqual([change?.base, change?.seq, change?.missing], [1, 3, []])
    assert.deepStrictEqual<unknown>(change?.events, [{ eventId: "e2" }, { eventId: "e3" }])
    assert.deepStrictEqual<unknown>(change?.match, { status: "live", seq: 3 })
  })

  test("fails if documents repeatedly do not match their hash", () => {
    const follower = followed()
    for (let time = 0; time < 4; time++) follower.receive({ ...compact(2), hash: "00000000" })
    assert.strictEqual(follower.last.next?._tag, "Fail")
  })

  test("recovers over SSE by connecting again, without its cursor", () => {
    const follower = followed({ canSend: false })
    follower.receive(delta(2, 1, { hash: "00000000" }))
    assert.deepStrictEqual(follower.last.next, { _tag: "Reconnect", afterMs: 250, atLeastMs: 0 })
    assert.isTrue(follower.state.needsSnapshots)
  })

  test("reports an announced gap with the next change", () => {
    const follower = followed()
    follower.receive({ type: "gap", reason: "slow", missing: [{ matchId: id, epoch: 1, from: 2, to: 5 }] })
    assert.deepStrictEqual(follower.changes, [])
    follower.receive(compact(5))
    const [change] = follower.changes
    assert.deepStrictEqual([change?.base, change?.seq, change?.missing], [1, 5, [{ from: 2, to: 5 }]])
  })

  test("treats a jump in shape v1 as a hole, unless `maxRateMs` is set", () => {
    const follower = new Follower("v1")
    follower.receive(update(1))
    follower.receive(update(3))
    assert.strictEqual(follower.last.send[0]?.action, "subscribe")
    const conflated = new Follower("v1", { maxRateMs: 100 })
    conflated.receive(update(1))
    conflated.receive(update(3))
    assert.deepStrictEqual([conflated.changes[0]?.seq, conflated.changes[0]?.missing, conflated.last.send], [3, [], []])
  })

  test("requests frames if a heartbeat is ahead: at once, or after a second heartbeat if conflated", () => {
    const follower = followed()
    assert.deepStrictEqual(follower.receive(beat(1)).send, [])
    assert.strictEqual(follower.receive(beat(2)).send[0]?.action, "subscribe")
    const conflated = followed({ maxRateMs: 5_000 })
    assert.deepStrictEqual(conflated.receive(beat(2)).send, [])
    assert.strictEqual(conflated.receive(beat(3)).send[0]?.action, "subscribe")
  })

  test("ends a finished match at the heartbeat after its last change", () => {
    const follower = followed()
    follower.receive(delta(2, 1, { patch: { status: "completed" } }))
    assert.isUndefined(follower.last.next)
    follower.receive(delta(3))
    assert.deepStrictEqual(follower.receive(beat(3)).next, { _tag: "End" })
    const staying = followed({ endWithMatch: false })
    staying.receive(delta(2, 1, { patch: { status: "completed" } }))
    assert.isUndefined(staying.receive(beat(2)).next)
  })

  test("has a cursor of all matches only after it has caught up", () => {
    const follower = new Follower("v2", { matchId: undefined })
    follower.receive(compact(1))
    assert.isUndefined(follower.changes[0]?.cursor)
    follower.give({ _tag: "Closed", reason: "cut", now: 0, random: 0 })
    assert.deepStrictEqual(follower.give({ _tag: "Opened" }).send, [{ action: "subscribe", rooms: ["all"], shape: "v2" }])
    follower.receive(compact(1))
    follower.receive(caughtUp)
    follower.receive(delta(2))
    assert.deepStrictEqual(follower.changes[0]?.cursor, { matchId: id, epoch: 1, seq: 2, position: 20 })
  })

  test("moves the cursor of all matches only with frames in the order of the log", () => {
    const follower = new Follower("v2", { matchId: undefined })
    follower.receive(compact(1))
    follower.receive(delta(2))
    assert.isUndefined(follower.changes[0]?.cursor, "before all have come")
    follower.receive(caughtUp)
    follower.receive(compact(3))
    assert.deepStrictEqual([follower.changes[0]?.seq, follower.changes[0]?.cursor], [3, undefined], "a snapshot")
    follower.receive(delta(5))
    assert.strictEqual(follower.last.send[0]?.action, "subscribe", "a hole")
    const elsewhere = (seq: number) => ({ ...delta(seq), matchId: matchId(2), position: 60 + seq })
    follower.receive(elsewhere(1))
    // The answer to a request from before the hole.
    follower.receive(caughtUp)
    follower.receive(elsewhere(2))
    assert.deepStrictEqual([follower.changes[0]?.matchId, follower.changes[0]?.cursor], [matchId(2), undefined], "past the hole")
    assert.strictEqual(follower.state.cursor?.position, 20)
  })

  test("keeps waiting for missing frames if a snapshot from before the hole arrives", () => {
    const follower = followed()
    follower.receive(delta(4))
    assert.deepStrictEqual(follower.receive(compact(4)).emit, [])
    follower.receive({ type: "resumed", room, verdict: "recovered", missing: [] })
    const told = [2, 3, 4].flatMap((seq) => {
      follower.receive(delta(seq))
      return follower.changes.map((change) => [change.base, change.seq, change.missing.length])
    })
    assert.deepStrictEqual(told, [
      [1, 2, 0],
      [2, 3, 0],
      [3, 4, 0],
    ])
  })

  test("starts again after a reset to another history, even a shorter one; after a reset to the same, reports what is missing", () => {
    const reset = { type: "resumed", room, verdict: "reset", missing: [] }
    const other = followed()
    other.receive(delta(2))
    other.receive(reset)
    other.receive(compact(1))
    const [first] = other.changes
    assert.deepStrictEqual([first?.seq, first?.base, first?.resumed, first?.missing], [1, undefined, "reset", []])
    const same = followed()
    same.receive(reset)
    same.receive(compact(4))
    const [next] = same.changes
    assert.deepStrictEqual([next?.seq, next?.base, next?.resumed, next?.missing], [4, 1, "reset", [{ from: 2, to: 4 }]])
  })
})
