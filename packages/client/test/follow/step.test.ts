/** The rules of following, one by one, as a reader of the protocol would try them. */
import { assert, describe, it } from "@effect/vitest"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { matchId } from "@matchpoint/domain/cs2/ids"
import { Effect } from "effect"
import { type FollowInput, type FollowSettings, type FollowState, initial, type Step } from "../../src/follow/FollowState.ts"
import { readMessage } from "../../src/follow/IncomingMessage.ts"
import type { ApiError } from "../../src/follow/refusal.ts"
import { resumeCursor } from "../../src/follow/resume.ts"
import { step } from "../../src/follow/step.ts"

const id = matchId(1)
const room = `match:${id}`
const time = "2026-03-01T18:00:00.000Z"

class Follower {
  state: FollowState
  last: Step

  constructor(shape: Shape, settings: Partial<FollowSettings> = {}) {
    this.state = initial({
      matchId: id,
      shape,
      canSend: true,
      canFallBack: false,
      maxRateMs: undefined,
      endWithMatch: true,
      baseDelayMs: 250,
      maxDelayMs: 20_000,
      maxAttempts: Number.POSITIVE_INFINITY,
      ...settings,
    })
    this.last = this.give({ _tag: "Opened" })
  }

  give(input: FollowInput): Step {
    this.last = step(this.state, input)
    this.state = this.last.state
    return this.last
  }

  hear(message: object): Step {
    const read = readMessage(JSON.stringify(message))
    if (read === undefined || read.type === "malformed") throw new Error(`not a message: ${JSON.stringify(message)}`)
    return this.give({ _tag: "Received", message: read, cursor: undefined, now: 0 })
  }

  get changes() {
    return this.last.emit.flatMap((item) => (item._tag === "Change" ? [item.change] : []))
  }
}

const head = (seq: number) => ({ publishedAt: time, position: seq * 10, matchId: id, epoch: 1, seq, observedAt: time, receivedAt: time })
const update = (seq: number) => ({ type: "cs2.live.update", ...head(seq), event: null, data: { status: "live", seq } })
const compact = (seq: number) => ({
  type: "cs2.live.snapshot",
  shape: "v2",
  ...head(seq),
  hash: stateHash({ status: "live", seq }),
  data: { status: "live", seq },
})
const delta = (seq: number, base = seq - 1, more: object = {}) => ({
  type: "cs2.live.delta",
  ...head(seq),
  base,
  events: [{ eventId: `e${seq}` }],
  patch: { seq },
  ...more,
})
const caughtUp = { type: "caught_up", rooms: [room], position: 10 }
const beat = (seq: number) => ({ type: "heartbeat", at: time, position: seq * 10, matches: [{ matchId: id, epoch: 1, seq, age_ms: 1 }] })

const test = (name: string, run: () => void) => it.effect(name, () => Effect.sync(run))

const followed = (settings: Partial<FollowSettings> = {}) => {
  const follower = new Follower("v2", settings)
  follower.hear(compact(1))
  follower.hear(caughtUp)
  return follower
}

describe("step", () => {
  test("subscribes without a cursor first, and with it after a disconnect", () => {
    const follower = new Follower("v2")
    assert.deepStrictEqual(follower.last.send, [{ action: "subscribe", rooms: [room], shape: "v2" }])
    follower.hear(compact(1))
    follower.hear(caughtUp)
    follower.hear(delta(2))
    const { next } = follower.give({ _tag: "Closed", code: 1006, reason: "", now: 0, random: 1 })
    assert.deepStrictEqual(next, { _tag: "Reconnect", afterMs: 250 })
    const resume = { [room]: { matchId: id, epoch: 1, seq: 2, position: 20 } }
    assert.deepStrictEqual(follower.give({ _tag: "Opened" }).send, [{ action: "subscribe", rooms: [room], resume, shape: "v2" }])
  })

  test("applies deltas to what it has, and shares what they leave alone", () => {
    const follower = followed()
    follower.hear(delta(2, 1, { patch: { players: { a: { hp: 1 }, b: { hp: 2 } } } }))
    const [before] = follower.changes
    follower.hear(delta(3, 2, { patch: { players: { a: { hp: 0 } } } }))
    const [after] = follower.changes
    assert.deepStrictEqual<unknown>(after?.match, { status: "live", seq: 1, players: { a: { hp: 0 }, b: { hp: 2 } } })
    const playersOf = (match: unknown) => (match as { readonly players: Record<string, unknown> }).players
    assert.strictEqual(playersOf(after?.match)["b"], playersOf(before?.match)["b"])
    assert.deepStrictEqual<unknown>(playersOf(before?.match)["a"], { hp: 1 })
  })

  test("drops what it has told already", () => {
    const follower = followed()
    follower.hear(delta(2))
    assert.strictEqual(follower.changes.length, 1)
    assert.deepStrictEqual(follower.hear(delta(2)).emit, [])
    assert.deepStrictEqual(follower.hear(compact(1)).emit, [])
  })

  test("has frames after a hole sent again; if they do not come, names what is missing and fetches the document", () => {
    const follower = followed()
    follower.hear(delta(4))
    assert.deepStrictEqual(follower.changes, [])
    assert.deepStrictEqual(follower.last.send[0]?.action, "subscribe")
    follower.hear({ type: "resumed", room, verdict: "recovered", missing: [] })
    follower.hear(delta(4))
    follower.hear(caughtUp)
    assert.deepStrictEqual(follower.last.send, [{ action: "resync", rooms: [room] }])
    follower.hear(compact(4))
    const [change] = follower.changes
    assert.deepStrictEqual([change?.base, change?.seq, change?.missing], [1, 4, [{ from: 2, to: 3 }]])
    assert.deepStrictEqual<unknown>(change?.events, [{ eventId: "e4" }])
  })

  test("never hands out a document that does not fit its hash", () => {
    const follower = followed()
    follower.hear(delta(2, 1, { hash: "00000000" }))
    assert.deepStrictEqual(follower.changes, [])
    assert.deepStrictEqual(follower.last.send, [{ action: "resync", rooms: [room] }])
    follower.hear(delta(3))
    assert.deepStrictEqual(follower.changes, [])
    follower.hear(compact(3))
    const [change] = follower.changes
    assert.deepStrictEqual([change?.base, change?.seq, change?.missing], [1, 3, []])
    assert.deepStrictEqual<unknown>(change?.events, [{ eventId: "e2" }, { eventId: "e3" }])
    assert.deepStrictEqual<unknown>(change?.match, { status: "live", seq: 3 })
  })

  test("gives up when no document ever fits", () => {
    const follower = followed()
    for (let time = 0; time < 4; time++) follower.hear({ ...compact(2), hash: "00000000" })
    assert.strictEqual(follower.last.next?._tag, "Fail")
  })

  test("over SSE it heals by connecting again, without its cursor", () => {
    const follower = followed({ canSend: false })
    follower.hear(delta(2, 1, { hash: "00000000" }))
    assert.deepStrictEqual(follower.last.next, { _tag: "Reconnect", afterMs: 250 })
    assert.isTrue(follower.state.startAnew)
  })

  test("an announced gap is told with the change after it", () => {
    const follower = followed()
    follower.hear({ type: "gap", reason: "slow", missing: [{ matchId: id, epoch: 1, from: 2, to: 5 }] })
    assert.deepStrictEqual(follower.changes, [])
    follower.hear(compact(5))
    const [change] = follower.changes
    assert.deepStrictEqual([change?.base, change?.seq, change?.missing], [1, 5, [{ from: 2, to: 5 }]])
  })

  test("in shape v1 a jump is a hole, unless it asked to be sent less", () => {
    const follower = new Follower("v1")
    follower.hear(update(1))
    follower.hear(update(3))
    assert.strictEqual(follower.last.send[0]?.action, "subscribe")
    const conflated = new Follower("v1", { maxRateMs: 100 })
    conflated.hear(update(1))
    conflated.hear(update(3))
    assert.deepStrictEqual([conflated.changes[0]?.seq, conflated.changes[0]?.missing, conflated.last.send], [3, [], []])
  })

  test("a heartbeat ahead of it makes it ask, at once; conflated, only when it stays so", () => {
    const follower = followed()
    assert.deepStrictEqual(follower.hear(beat(1)).send, [])
    assert.strictEqual(follower.hear(beat(2)).send[0]?.action, "subscribe")
    const conflated = followed({ maxRateMs: 5_000 })
    assert.deepStrictEqual(conflated.hear(beat(2)).send, [])
    assert.strictEqual(conflated.hear(beat(3)).send[0]?.action, "subscribe")
  })

  test("a match that is over ends with the heartbeat after its last change", () => {
    const follower = followed()
    follower.hear(delta(2, 1, { patch: { status: "completed" } }))
    assert.isUndefined(follower.last.next)
    follower.hear(delta(3))
    assert.deepStrictEqual(follower.hear(beat(3)).next, { _tag: "End" })
    const staying = followed({ endWithMatch: false })
    staying.hear(delta(2, 1, { patch: { status: "completed" } }))
    assert.isUndefined(staying.hear(beat(2)).next)
  })

  test("of all matches, it has a cursor only once all have come", () => {
    const follower = new Follower("v2", { matchId: undefined })
    follower.hear(compact(1))
    assert.isUndefined(follower.changes[0]?.cursor)
    follower.give({ _tag: "Closed", reason: "cut", now: 0, random: 0 })
    assert.deepStrictEqual(follower.give({ _tag: "Opened" }).send, [{ action: "subscribe", rooms: ["all"], shape: "v2" }])
    follower.hear(compact(1))
    follower.hear(caughtUp)
    follower.hear(delta(2))
    assert.deepStrictEqual(follower.changes[0]?.cursor, { matchId: id, epoch: 1, seq: 2, position: 20 })
  })

  test("of all matches, only frames in the order of the log move the cursor", () => {
    const follower = new Follower("v2", { matchId: undefined })
    follower.hear(compact(1))
    follower.hear(delta(2))
    assert.isUndefined(follower.changes[0]?.cursor, "before all have come")
    follower.hear(caughtUp)
    follower.hear(compact(3))
    assert.deepStrictEqual([follower.changes[0]?.seq, follower.changes[0]?.cursor], [3, undefined], "a snapshot")
    follower.hear(delta(5))
    assert.strictEqual(follower.last.send[0]?.action, "subscribe", "a hole")
    const elsewhere = (seq: number) => ({ ...delta(seq), matchId: matchId(2), position: 60 + seq })
    follower.hear(elsewhere(1))
    // The answer to what was asked before the hole.
    follower.hear(caughtUp)
    follower.hear(elsewhere(2))
    assert.deepStrictEqual([follower.changes[0]?.matchId, follower.changes[0]?.cursor], [matchId(2), undefined], "past the hole")
    assert.strictEqual(follower.state.cursor?.position, 20)
  })

  test("a snapshot that was on its way when a hole was found does not end the search for its frames", () => {
    const follower = followed()
    follower.hear(delta(4))
    assert.deepStrictEqual(follower.hear(compact(4)).emit, [])
    follower.hear({ type: "resumed", room, verdict: "recovered", missing: [] })
    const told = [2, 3, 4].flatMap((seq) => {
      follower.hear(delta(seq))
      return follower.changes.map((change) => [change.base, change.seq, change.missing.length])
    })
    assert.deepStrictEqual(told, [
      [1, 2, 0],
      [2, 3, 0],
      [3, 4, 0],
    ])
  })

  test("a reset to another history begins anew, even where that history is shorter; to the same, it counts what is missing", () => {
    const reset = { type: "resumed", room, verdict: "reset", missing: [] }
    const other = followed()
    other.hear(delta(2))
    other.hear(reset)
    other.hear(compact(1))
    const [first] = other.changes
    assert.deepStrictEqual([first?.seq, first?.base, first?.resumed, first?.missing], [1, undefined, "reset", []])
    const same = followed()
    same.hear(reset)
    same.hear(compact(4))
    const [next] = same.changes
    assert.deepStrictEqual([next?.seq, next?.base, next?.resumed, next?.missing], [4, 1, "reset", [{ from: 2, to: 4 }]])
  })

  const answers: ReadonlyArray<readonly [string, Partial<Extract<FollowInput, { readonly _tag: "Closed" }>>, string]> = [
    ["401", { status: 401 }, "Fail"],
    ["403", { status: 403 }, "Fail"],
    ["404", { status: 404 }, "Fail"],
    ["429", { status: 429, retryAfterMs: 7_000 }, "Reconnect"],
    ["503", { status: 503 }, "Reconnect"],
    ["1001", { code: 1001 }, "Reconnect"],
    ["1006", { code: 1006 }, "Reconnect"],
    ["1009", { code: 1009 }, "Fail"],
    ["3008", { code: 3008 }, "Reconnect"],
    ["3501", { code: 3501 }, "Fail"],
    ["3502", { code: 3502 }, "Fail"],
  ]
  for (const [name, answer, expected] of answers) {
    test(`closed with ${name}: ${expected}`, () => {
      const follower = new Follower("v2")
      const { next } = follower.give({ _tag: "Closed", reason: "", now: 0, random: 0.5, ...answer })
      assert.strictEqual(next?._tag, expected)
      if (next?._tag === "Reconnect") assert.isAtLeast(next.afterMs, answer.retryAfterMs ?? 100)
    })
  }

  test("ends where only a person can help, and says with which code", () => {
    const reasons = (
      [
        [{ type: "error", code: "RATE_LIMIT_EXCEEDED", message: "" }, "LimitExceeded"],
        [{ type: "error", code: "INVALID_API_KEY", message: "" }, "Unauthorized"],
        [{ type: "error", code: "HISTORY_LIMIT", message: "" }, "PlanRequired"],
      ] as const
    ).map(([message, reason]) => [followed().hear(message).next, message.code, reason] as const)
    for (const [next, code, reason] of reasons) {
      assert.strictEqual(next?._tag, "Fail")
      if (next?._tag === "Fail") assert.deepInclude(next.failure, { reason, code })
    }
  })

  test("takes the close codes of metering at their word", () => {
    const nextOf = (code: number) => followed().give({ _tag: "Closed", code, reason: "", now: 0, random: 1 }).next
    for (const code of [3011, 3012]) assert.deepStrictEqual(nextOf(code), { _tag: "Reconnect", afterMs: 250 }, String(code))
    for (const [code, reason] of [
      [3503, "LimitExceeded"],
      [3504, "Unauthorized"],
      [3501, "Refused"],
    ] as const) {
      const next = nextOf(code)
      assert.strictEqual(next?._tag === "Fail" && next.failure.reason, reason, String(code))
    }
  })

  describe("refused at the door", () => {
    const refusedWith = (status: number, error?: ApiError, settings: Partial<FollowSettings> = {}, retryAfterMs?: number) =>
      followed(settings).give({ _tag: "Closed", reason: "no", status, error, retryAfterMs, now: 0, random: 1 })

    test("comes back for what passes, and not for a month that is used up", () => {
      const limited = { code: "RATE_LIMIT_EXCEEDED", message: "slow down", limit: "requests_per_second" }
      assert.deepStrictEqual(refusedWith(429, limited, {}, 1_000).next, { _tag: "Reconnect", afterMs: 1_000 })
      assert.strictEqual(refusedWith(429, { code: "TOO_MANY_CONNECTIONS", message: "", limit: "connections" }).next?._tag, "Reconnect")
      const { next } = refusedWith(429, { ...limited, message: "used up", limit: "requests_per_month" }, {}, 86_400_000)
      assert.strictEqual(next?._tag, "Fail")
      if (next?._tag !== "Fail") return
      const { code, message, reason, retryAfterMs } = next.failure
      assert.deepStrictEqual(
        { code, message, reason, retryAfterMs },
        { code: "RATE_LIMIT_EXCEEDED", message: "used up", reason: "LimitExceeded", retryAfterMs: 86_400_000 },
      )
    })

    test("goes on over the other transport where there is one, from where it was", () => {
      const needed = { code: "PLAN_REQUIRED", message: "live-websockets needs plan scale" }
      const { emit, next, state } = refusedWith(403, needed, { canFallBack: true })
      assert.deepStrictEqual(next, { _tag: "FallBack" })
      assert.deepStrictEqual(emit, [{ _tag: "Notice", notice: { type: "stale", reason: needed.message, retryInMs: 0 } }])
      assert.strictEqual(resumeCursor(state)?.seq, 1)
      const again = step(state, { _tag: "Closed", reason: "no", status: 403, error: needed, now: 0, random: 1 })
      assert.strictEqual(again.next?._tag === "Fail" && again.next.failure.reason, "PlanRequired")
      const alone = refusedWith(403, needed)
      assert.strictEqual(alone.next?._tag === "Fail" && alone.next.failure.code, "PLAN_REQUIRED")
      const game = refusedWith(403, { code: "GAME_NOT_INCLUDED", message: "" }, { canFallBack: true })
      assert.strictEqual(game.next?._tag === "Fail" && game.next.failure.reason, "PlanRequired")
    })
  })
})
