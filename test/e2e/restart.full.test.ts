/** Tests `npm start` as a process: Ctrl-C, and a crash in the middle of a match. */
import { assert, it } from "@effect/vitest"
import { type LiveSnapshot, type LiveUpdate, UPDATE } from "@matchpoint/cs2/contract/frames"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { Clock, Effect } from "effect"
import { followSocket } from "../fixtures/clients/followers.ts"
import { DEV_KEY, Standalone } from "../fixtures/Standalone.ts"

const isFrame = (message: ServerMessage): message is LiveUpdate | LiveSnapshot =>
  message.type === UPDATE || message.type === "cs2.live.snapshot"

const follow = Effect.gen(function* () {
  const { url } = yield* Standalone
  const follower = yield* followSocket(`${url.replace("http", "ws")}/api/v1/cs2/live/ws?apiKey=${DEV_KEY}`)
  follower.send({ action: "subscribe", rooms: ["all"] })
  return follower
})

/** The newest frame of each match. */
const newest = (messages: ReadonlyArray<ServerMessage>) => {
  const frames = new Map<string, LiveUpdate | LiveSnapshot>()
  for (const message of messages) if (isFrame(message)) frames.set(message.matchId, message)
  return frames
}

it.layer(Standalone.layer({ matches: 4, speed: 20 }), { excludeTestServices: true, timeout: "120 seconds" })(
  "a server that stops",
  (it) => {
    it.effect("continues matches where they were after it was killed", () =>
      Effect.gen(function* () {
        const server = yield* Standalone
        const before = yield* follow
        yield* before.until((message): message is LiveUpdate => message.type === UPDATE && newest(before.messages).size === 4)
        yield* server.kill
        const seen = newest(before.messages)
        yield* server.start
        const after = yield* follow
        for (const [id, last] of seen) {
          const first = yield* after.until((message): message is LiveUpdate | LiveSnapshot => isFrame(message) && message.matchId === id)
          assert.strictEqual(first.epoch, last.epoch, "no history was lost")
          assert.isAtLeast(first.seq, last.seq)
          // Rounds played before the crash must be unchanged.
          const [mapBefore, mapAfter] = [last.data.rounds, first.data.currentGame === last.data.currentGame ? first.data.rounds : undefined]
          if (mapAfter !== undefined) assert.deepStrictEqual(mapAfter.slice(0, mapBefore.length), mapBefore)
          yield* after.until(
            (message): message is LiveUpdate => message.type === UPDATE && message.matchId === id && message.seq > first.seq,
          )
          const seqs = after.messages.flatMap((message) => (isFrame(message) && message.matchId === id ? [message.seq] : []))
          assert.deepStrictEqual(
            seqs,
            seqs.map((_, index) => first.seq + index),
          )
        }
      }),
    )

    it.effect("closes clients on Ctrl-C, exits within two seconds, and can be started again", () =>
      Effect.gen(function* () {
        const server = yield* Standalone
        const follower = yield* follow
        yield* follower.until(isFrame)
        const stopRequestedAt = yield* Clock.currentTimeMillis
        const ended = yield* server.stop
        const took = (yield* Clock.currentTimeMillis) - stopRequestedAt
        assert.deepStrictEqual(ended, { code: 130, signal: null })
        assert.isBelow(took, 2_000)
        assert.strictEqual((yield* follower.closed).code, 1001)
        yield* server.start
        assert.notInclude(yield* server.output, "ERROR")
      }),
    )
  },
)
