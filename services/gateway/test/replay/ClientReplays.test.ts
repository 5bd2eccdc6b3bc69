import { assert, describe, it } from "@effect/vitest"
import { EventLog, LogError } from "@matchpoint/bus/EventLog"
import { replayRoom } from "@matchpoint/contracts/stream/rooms"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { AccountId, ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import type { Plan } from "@matchpoint/domain/plans"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { LiveGames } from "../../src/live/LiveGames.ts"
import { ClientReplays } from "../../src/replay/ClientReplays.ts"
import { Replays } from "../../src/replay/Replays.ts"
import { frames, games, id, liveLog, store } from "./storedMatch.ts"

const keyId = ApiKeyId.make("00000000-0000-4000-8000-000000000001")
const accountId = AccountId.make(keyId)
const room = replayRoom(id)

/** The replays of one WebSocket of a key. */
const socket = Effect.fnUntraced(function* (plan: Plan) {
  const replays = yield* Replays
  const messages: Array<ServerMessage["type"] | string> = []
  const seqs: Array<number> = []
  const closed: Array<number> = []
  let hasRoom = true
  const clientReplays = new ClientReplays({
    replays,
    key: { keyId, accountId, ...termsOf(plan) },
    watermark: { rooms: { dueTo: Number.MAX_SAFE_INTEGER } },
    outlet: {
      knowsSnapshots: true,
      frame: (_, { seq }) => {
        seqs.push(seq)
      },
      sendControl: (message) => {
        messages.push(message.type === "error" ? message.code : message.type)
        return true
      },
      hasRoom: () => hasRoom,
      end: ({ code }) => closed.push(code),
      endSlow: () => closed.push(3008),
    },
  })
  const setRoom = (value: boolean) => {
    hasRoom = value
    if (value) clientReplays.drained()
  }
  return { replays: clientReplays, messages, seqs, closed, setRoom }
})

const WithLog = Replays.layer.pipe(Layer.provide([Layer.succeed(LiveGames, games), StreamLimits.layer]), Layer.provideMerge(liveLog()))

describe("ClientReplays", () => {
  it.effect("limits the replays of a key over all its sockets, and counts a restarted room once", () =>
    Effect.gen(function* () {
      yield* store(frames(100))
      const one = yield* socket("starter")
      const two = yield* socket("starter")
      one.replays.start(id, "v1", {}, undefined)
      two.replays.start(id, "v1", {}, undefined)
      two.replays.start(id, "v1", {}, undefined)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual([one.messages, two.messages], [["subscribed"], ["subscribed"]])
      two.replays.start(matchId(9), "v1", {}, undefined)
      assert.deepStrictEqual(two.messages, ["subscribed", "TOO_MANY_REPLAYS"])
      one.replays.close()
      assert.strictEqual(one.replays.size, 0)
      two.replays.start(matchId(9), "v1", {}, undefined)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(two.messages, ["subscribed", "TOO_MANY_REPLAYS", "MATCH_NOT_FOUND"])
      assert.strictEqual(two.replays.size, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(two.messages.at(-1), "replay_ended")
      assert.strictEqual(two.replays.size, 0)
      const three = yield* socket("starter")
      three.replays.start(id, "v1", { speed: 0 }, undefined)
      two.replays.start(id, "v1", { speed: 0 }, undefined)
      yield* TestClock.adjust(0)
      assert.notInclude([...three.messages, ...two.messages.slice(4)], "TOO_MANY_REPLAYS")
    }).pipe(Effect.provide(WithLog)),
  )

  it.effect("sends nothing after it was stopped, whatever it was waiting for", () =>
    Effect.gen(function* () {
      yield* store(frames(100))
      for (const waitsFor of ["its next frame", "room", "its first turn"]) {
        const { replays, messages, seqs, setRoom } = yield* socket("pro")
        if (waitsFor === "room") setRoom(false)
        replays.start(id, "v1", {}, undefined)
        if (waitsFor !== "its first turn") yield* TestClock.adjust("1 second")
        assert.isTrue(replays.stop(room))
        assert.isFalse(replays.stop(room))
        const before = [messages.length, seqs.length]
        setRoom(true)
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual([messages.length, seqs.length], before, waitsFor)
        assert.deepStrictEqual(replays.cursors, {})
      }
    }).pipe(Effect.provide(WithLog)),
  )

  it.effect("closes the socket with 3010 on a drop, ends slow clients as other rooms do, and keeps the cursor of the last frame", () =>
    Effect.gen(function* () {
      yield* store(frames(300))
      const dropped = yield* socket("pro")
      dropped.replays.start(id, "v2", { speed: 1, faults: ["drop"] }, undefined)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(dropped.replays.cursors[room]?.seq, dropped.seqs.at(-1))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(dropped.closed, [3010])
      const slow = yield* socket("pro")
      slow.setRoom(false)
      slow.replays.start(id, "v2", {}, undefined)
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(slow.closed, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([slow.closed, slow.replays.size], [[3008], 0])
    }).pipe(Effect.provide(WithLog)),
  )

  it.effect("resync sends the last frame again as a snapshot, without `subscribed` or `resumed`, and continues", () =>
    Effect.gen(function* () {
      yield* store(frames(30))
      const { replays, messages, seqs } = yield* socket("pro")
      replays.start(id, "v2", {}, undefined)
      yield* TestClock.adjust("1 second")
      const last = seqs.at(-1) ?? 0
      assert.isTrue(replays.resync(room))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual([seqs.at(-2), seqs.at(-1)], [last, last])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        seqs.slice(last),
        frames(31 - last, last).map(({ seq }) => seq),
      )
      assert.deepStrictEqual(
        messages.filter((type) => type !== "heartbeat"),
        ["subscribed", "replay_ended"],
      )
      assert.isFalse(replays.resync(room))
    }).pipe(Effect.provide(WithLog)),
  )

  it.effect("ends only the replay with an error if the log does not answer, not the socket", () =>
    Effect.gen(function* () {
      const { closed, replays, messages } = yield* socket("pro")
      replays.start(id, "v1", {}, undefined)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([messages, closed, replays.size], [["SERVICE_UNAVAILABLE"], [], 0])
    }).pipe(Effect.provide(Replays.layer.pipe(Layer.provide([DeafLog, Layer.succeed(LiveGames, games), StreamLimits.layer])))),
  )
})

const unavailable = new LogError({ operation: "read", target: "LIVE", reason: "Unavailable", retryable: true, detail: "no answer" })

const DeafLog = Layer.succeed(
  EventLog,
  EventLog.of({
    append: () => Effect.fail(unavailable),
    consume: () => Stream.never,
    read: () => Stream.never,
    last: () => Effect.never,
    bounds: () => Effect.never,
    now: Effect.never,
  }),
)
