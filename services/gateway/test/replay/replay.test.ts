import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import { replayRoom } from "@matchpoint/contracts/stream/rooms"
import { decodeServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { LONGEST_GAP_MS } from "../../src/replay/Pace.ts"
import { type ReplayRequest, replay } from "../../src/replay/replay.ts"
import { Client, frames, games, id, liveLog, request, type StoredFrame, store } from "./storedMatch.ts"

const room = replayRoom(id)

const start = Effect.fnUntraced(function* (asked: ReplayRequest) {
  const log = yield* EventLog
  const client = yield* Client.make
  const fiber = yield* Effect.forkChild(replay({ log, games }, asked, client))
  yield* TestClock.adjust(0)
  return { client, fiber }
})

/** Plays a replay to its end, however long that takes. */
const play = Effect.fnUntraced(function* (asked: ReplayRequest) {
  const { client, fiber } = yield* start(asked)
  yield* TestClock.adjust("2 hours")
  return { client, outcome: yield* Fiber.join(fiber) }
})

/** Enough turns for a replay without pauses to finish. */
const turns = Effect.repeat(Effect.yieldNow, { times: 100 })

const verdicts = (client: Client) => client.controlMessages.flatMap((message) => (message.type === "resumed" ? [message] : []))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Two maps of three rounds with four frames each, and two minutes between the maps. */
const series: ReadonlyArray<StoredFrame> = range(0, 23).map((n) => ({
  seq: n + 1,
  map: 1 + Math.floor(n / 12),
  round: 1 + (Math.floor(n / 4) % 3),
  at: n * 500 + (n >= 12 ? 120_000 : 0),
}))

describe("replay speed", () => {
  it.effect("follows the match's gaps at any speed and shortens long ones", () =>
    Effect.gen(function* () {
      yield* store(series)
      const real = yield* play(request())
      assert.strictEqual(real.outcome, "ended")
      assert.deepStrictEqual(real.client.seqs, range(1, 24))
      assert.deepStrictEqual(
        real.client.sent.map(({ at }) => at),
        series.map((_, n) => n * 500 + (n >= 12 ? LONGEST_GAP_MS - 500 : 0)),
      )
      const fast = yield* play(request({ speed: 10 }))
      assert.deepStrictEqual(
        fast.client.sent.map(({ at }) => at),
        real.client.sent.map(({ at }) => at / 10),
      )
      assert.deepStrictEqual(real.client.messages, [{ type: "replay_ended", room, frames: 24 }])
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("sends everything at once at speed 0, but waits for a client that does not read", () =>
    Effect.gen(function* () {
      yield* store(frames(600))
      const log = yield* EventLog
      const client = yield* Client.make
      client.room = 10
      const fiber = yield* Effect.forkChild(replay({ log, games }, request({ speed: 0 }), client))
      yield* TestClock.adjust(0)
      assert.strictEqual(client.sent.length, 10)
      client.read(300)
      yield* turns
      assert.strictEqual(client.sent.length, 310)
      client.read(Number.POSITIVE_INFINITY)
      assert.strictEqual(yield* Fiber.join(fiber), "ended")
      assert.deepStrictEqual(client.seqs, range(1, 600))
      assert.strictEqual(client.sent.at(-1)?.at, 0)
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("disconnects a client that reads nothing, but not one whose drain went unnoticed", () =>
    Effect.gen(function* () {
      yield* store(frames(30))
      const { client, fiber } = yield* start(request({ speed: 0 }, { slowestSeconds: 20 }))
      assert.strictEqual(yield* Fiber.join(fiber), "ended")
      assert.deepStrictEqual(client.cuts, [])
      const log = yield* EventLog
      const stuck = yield* Client.make
      stuck.room = 5
      const stuckFiber = yield* Effect.forkChild(replay({ log, games }, request({ speed: 0 }, { slowestSeconds: 20 }), stuck))
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(stuck.cuts, [])
      stuck.room = 5
      yield* TestClock.adjust("1 second")
      assert.strictEqual(stuck.sent.length, 10)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* Fiber.join(stuckFiber), "cut")
      assert.deepStrictEqual(stuck.cuts, ["slow"])
    }).pipe(Effect.provide(liveLog())),
  )
})

describe("start of a replay", () => {
  it.effect("is the first stored frame, as an update or as a delta if the match starts with it", () =>
    Effect.gen(function* () {
      yield* store(frames(3))
      assert.deepStrictEqual((yield* play(request())).client.kinds, ["update", "update", "update"])
      assert.deepStrictEqual((yield* play(request({}, { shape: "v2" }))).client.kinds, ["delta", "delta", "delta"])
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("is a snapshot in shape v2 if earlier frames are gone", () =>
    Effect.gen(function* () {
      yield* store(frames(3, 40))
      assert.deepStrictEqual((yield* play(request())).client.kinds, ["update", "update", "update"])
      assert.deepStrictEqual((yield* play(request({}, { shape: "v2" }))).client.kinds, ["snapshot", "delta", "delta"])
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("is a snapshot at the requested map and round, followed by all later frames", () =>
    Effect.gen(function* () {
      yield* store(series)
      for (const [options, seq] of [
        [{ fromMap: 2, fromRound: 2 }, 17],
        [{ fromMap: 2 }, 13],
        [{ fromRound: 3 }, 9],
        [{ fromMap: 1, fromRound: 1 }, 1],
        // The first map ended before that round, so the replay starts at the next map.
        [{ fromMap: 1, fromRound: 30 }, 13],
      ] as const) {
        for (const shape of ["v1", "v2"] as const) {
          const { client } = yield* play(request({ speed: 0, ...options }, { shape }))
          assert.deepStrictEqual(client.seqs, range(seq, 24))
          assert.strictEqual(client.kinds[0], "snapshot")
          assert.isFalse(client.kinds.slice(1).includes("snapshot"))
        }
      }
      const { client } = yield* play(request({ fromMap: 3 }))
      assert.deepStrictEqual(client.messages, [{ type: "replay_ended", room, frames: 0 }])
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("sends only frames and messages that match the contract", () =>
    Effect.gen(function* () {
      yield* store(series)
      for (const shape of ["v1", "v2"] as const) {
        const { client } = yield* play(request({ fromMap: 2, faults: ["stall"] }, { shape }))
        const texts = [
          ...client.sent.map(({ bytes }) => new TextDecoder().decode(bytes)),
          ...client.controlMessages.map((message) => JSON.stringify(message)),
        ]
        for (const text of texts) {
          const decoded = decodeServerMessage(text)
          if (Result.isFailure(decoded)) assert.fail(String(decoded.failure))
        }
      }
    }).pipe(Effect.provide(liveLog())),
  )
})

describe("resume", () => {
  it.effect("continues after the cursor, found by position or by search", () =>
    Effect.gen(function* () {
      yield* store(frames(600))
      for (const position of [500, undefined, 3, 9_999_999]) {
        const resume = { epoch: 1, seq: 500, ...(position === undefined ? {} : { position }) }
        const { client } = yield* play(request({ speed: 0, fromRound: 1 }, { resume, shape: "v2" }))
        assert.deepStrictEqual(client.seqs, range(501, 600))
        assert.isFalse(client.kinds.includes("snapshot"))
        assert.deepStrictEqual(client.messages[0], { type: "resumed", room, verdict: "recovered", missing: [] })
      }
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("sends only `replay_ended` after a cursor at the end", () =>
    Effect.gen(function* () {
      yield* store(frames(20))
      const { client } = yield* play(request({}, { resume: { epoch: 1, seq: 20, position: 20 } }))
      assert.deepStrictEqual(
        client.messages.map(({ type }) => type),
        ["resumed", "replay_ended"],
      )
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("answers `partial` with the missing range, then a snapshot and the remaining frames", () =>
    Effect.gen(function* () {
      yield* store(frames(10, 41))
      const { client } = yield* play(request({}, { resume: { epoch: 1, seq: 20 } }))
      assert.deepStrictEqual(verdicts(client), [
        { type: "resumed", room, verdict: "partial", missing: [{ matchId: id, epoch: 1, from: 21, to: 40 }] },
      ])
      assert.deepStrictEqual([client.kinds[0], client.seqs], ["snapshot", range(41, 50)])
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("answers `reset` to a cursor of an unknown epoch and starts over", () =>
    Effect.gen(function* () {
      yield* store(range(1, 10).map((seq) => ({ seq, epoch: 3 })))
      for (const epoch of [2, 4]) {
        const { client } = yield* play(request({}, { resume: { epoch, seq: 5 } }))
        assert.deepStrictEqual(verdicts(client), [{ type: "resumed", room, verdict: "reset", missing: [] }])
        assert.deepStrictEqual([client.kinds[0], client.seqs], ["snapshot", range(1, 10)])
      }
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("starts a new epoch with a snapshot", () =>
    Effect.gen(function* () {
      yield* store([...frames(5), ...range(1, 4).map((seq) => ({ seq, epoch: 2 }))])
      const { client } = yield* play(request({}, { shape: "v2" }))
      assert.deepStrictEqual(client.kinds, [...Array(5).fill("delta"), "snapshot", "delta", "delta", "delta"])
    }).pipe(Effect.provide(liveLog())),
  )
})

describe("limits of the plan", () => {
  it.effect("end the replay at the newest frame that the plan may see, and move while it plays", () =>
    Effect.gen(function* () {
      yield* store(frames(20))
      const watermark = { rooms: { dueTo: 0 } }
      assert.strictEqual((yield* play(request({}, { watermark }))).outcome, "not_found")
      watermark.rooms.dueTo = 7
      assert.deepStrictEqual((yield* play(request({}, { watermark }))).client.seqs, range(1, 7))
      // A cursor from a plan with less delay reveals no further frames.
      const ahead = yield* play(request({}, { watermark, resume: { epoch: 1, seq: 15, position: 15 } }))
      assert.deepStrictEqual([ahead.client.seqs, ahead.client.messages.at(-1)?.type], [[], "replay_ended"])
      const { client, fiber } = yield* start(request({}, { watermark }))
      yield* TestClock.adjust("300 millis")
      assert.deepStrictEqual(client.seqs, [1, 2, 3, 4])
      watermark.rooms.dueTo = 12
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(fiber), "ended")
      assert.deepStrictEqual(client.seqs, range(1, 12))
    }).pipe(Effect.provide(liveLog())),
  )

  it.effect("answer `not_found` for a match that was never stored", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* play(request())).outcome, "not_found")
    }).pipe(Effect.provide(liveLog())),
  )
})

it.effect("reports frames that the log drops during the replay as a gap", () =>
  Effect.gen(function* () {
    yield* store(frames(10))
    const log = yield* EventLog
    const client = yield* Client.make
    client.room = 4
    const fiber = yield* Effect.forkChild(replay({ log, games }, request({ speed: 0 }, { shape: "v2" }), client))
    yield* TestClock.adjust(0)
    yield* store(frames(60, 11))
    client.read(Number.POSITIVE_INFINITY)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* Fiber.join(fiber), "ended")
    const gap = client.controlMessages.find((message) => message.type === "gap")
    const missing = gap?.type === "gap" ? gap.missing : []
    const from = missing[0]?.from ?? 0
    const to = missing[0]?.to ?? 0
    assert.isAbove(to, from)
    assert.deepStrictEqual(client.seqs, [...range(1, from - 1), ...range(to + 1, 70)])
    assert.strictEqual(client.kinds[from - 1], "snapshot")
  }).pipe(Effect.provide(liveLog(14_000))),
)

it.effect("sends heartbeats with the client's position during a stall", () =>
  Effect.gen(function* () {
    yield* store([{ seq: 1, at: 0 }, ...range(2, 40).map((seq) => ({ seq, at: seq * 60_000 }))])
    const { client, fiber } = yield* start(request({ speed: 0.1 }))
    yield* TestClock.adjust("16 seconds")
    const [beat] = client.controlMessages
    assert.deepInclude(beat, { type: "heartbeat", position: 1 })
    assert.deepStrictEqual(beat?.type === "heartbeat" ? beat.matches : [], [{ matchId: id, epoch: 1, seq: 1, age_ms: 15_000 }])
    yield* Fiber.interrupt(fiber)
  }).pipe(Effect.provide(liveLog())),
)
