import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PullSession from "../src/nats/PullSession.ts"
import { scripted } from "./scriptedLink.ts"

const options: Omit<PullSession.SessionOptions, "batch"> = {
  operation: "consume",
  target: "FEED",
  stream: "S",
  filters: ["feed.1"],
  whole: false,
  drain: false,
  heartbeat: 60_000,
  toRecord: (message, sequence, appendedAt) => ({
    subject: message.subject,
    id: `${sequence}`,
    sequence,
    data: message.data,
    appendedAt,
  }),
}

it.live("returns all records of a network packet in one chunk to a waiting reader", () =>
  Effect.gen(function* () {
    const server = scripted()
    const session = yield* PullSession.open(server.link, { ...options, batch: 100 }, { position: 0, atOldest: false })
    const waiting = yield* Effect.forkChild(session.take)
    yield* Effect.yieldNow
    for (let sequence = 1; sequence <= 60; sequence += 1) server.record(sequence)
    const chunk = yield* Fiber.join(waiting)
    assert.deepStrictEqual([chunk.length, chunk[0].sequence, chunk.at(-1)?.sequence], [60, 1, 60])
  }).pipe(Effect.scoped),
)

it.live("does not move the place past a chunk when a heartbeat arrives while the chunk is checked", () =>
  Effect.gen(function* () {
    const server = scripted()
    const place: PullSession.ConsumerPosition = { position: 0, atOldest: false }
    const session = yield* PullSession.open(server.link, { ...options, batch: 2 }, place)
    const first = yield* Effect.forkChild(session.take)
    yield* Effect.yieldNow
    server.record(1)
    assert.strictEqual((yield* Fiber.join(first))[0].sequence, 1)
    // All requested records arrive before they are taken, so that the session checks for a gap first.
    server.record(2)
    server.record(3)
    const second = yield* Effect.forkChild(Effect.exit(session.take))
    yield* Effect.yieldNow
    server.heartbeat(9, 3)
    server.failInfo()
    assert.strictEqual((yield* Fiber.join(second))._tag, "Failure")
    assert.strictEqual(place.position, 1)
  }).pipe(Effect.scoped),
)
