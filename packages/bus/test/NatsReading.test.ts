import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as NatsReading from "../src/nats/NatsReading.ts"
import { namesOf } from "../src/nats/NatsStreams.ts"
import { scripted } from "./scriptedLink.ts"

const spec = { name: "S", subjects: ["feed.>"], maxBytes: 1_000_000 }
const options = { operation: "read", filters: ["feed.1"], from: { _tag: "First" }, batch: 100, heartbeat: 60_000 } as const

const readFrom = ({ link }: ReturnType<typeof scripted>) =>
  NatsReading.follow(link, namesOf(undefined), spec, options).pipe(
    Stream.map(({ sequence }) => sequence),
    Stream.runCollect,
  )

describe("a read from a cluster", () => {
  it.live("goes on until the newest record, although a server does not have it yet", () =>
    Effect.gen(function* () {
      const answers = [[1, 2], [], [3]]
      const server = scripted({
        bounds: { first: 1, last: 9 },
        newest: 3,
        onRequest: (consumer) => {
          for (const sequence of answers[consumer - 1] ?? []) server.record(sequence)
          server.noMore()
        },
      })
      assert.deepStrictEqual(yield* readFrom(server), [1, 2, 3])
      assert.strictEqual(server.consumers(), 3)
    }),
  )

  it.live("fails if no server has the newest record in time", () =>
    Effect.gen(function* () {
      const server = scripted({ bounds: { first: 1, last: 9 }, newest: 3, onRequest: () => server.noMore() })
      const error = yield* Effect.flip(readFrom(server))
      assert.deepStrictEqual([error.reason, error.retryable], ["Unavailable", true])
    }),
  )

  it.live("asks again if nobody answers, because the stream had no leader", () =>
    Effect.gen(function* () {
      const server = scripted({
        bounds: { first: 1, last: 9 },
        newest: 1,
        lostQuestions: 1,
        onRequest: () => {
          server.record(1)
          server.noMore()
        },
      })
      assert.deepStrictEqual(yield* readFrom(server), [1])
    }),
  )

  it.live("creates no consumer if there is no record", () =>
    Effect.gen(function* () {
      const server = scripted({ bounds: { first: 1, last: 9 } })
      assert.deepStrictEqual(yield* readFrom(server), [])
      assert.strictEqual(server.consumers(), 0)
    }),
  )
})
