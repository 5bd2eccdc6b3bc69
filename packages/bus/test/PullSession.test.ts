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
    const server = scripted({ bounds: { first: 1, last: 60 } })
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
    const session = yield* PullSession.open(server.link, { ...options, whole: true, batch: 2 }, place)
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

/** A waiting reader that has read up to record 1, of a consumer that the server filters. The log now begins at `first`. */
const waiting = Effect.fnUntraced(function* (first: number) {
  const server = scripted({ bounds: { first, last: 9 } })
  const place: PullSession.ConsumerPosition = { position: 1, atOldest: false }
  const session = yield* PullSession.open(server.link, { ...options, batch: 100 }, place)
  const taken = yield* Effect.forkChild(session.take)
  yield* Effect.yieldNow
  return { place, server, taken }
})

it.live("fails if records were dropped between the bounds and the first record of a consumer that the server filters", () =>
  Effect.gen(function* () {
    const { place, server, taken } = yield* waiting(4)
    server.record(7)
    const error = yield* Effect.flip(Fiber.join(taken))
    assert.include(error, { reason: "Dropped", retryable: false })
    assert.strictEqual(place.position, 1)
  }).pipe(Effect.scoped),
)

it.live("fails if records were dropped before the first heartbeat of an idle consumer", () =>
  Effect.gen(function* () {
    const { place, server, taken } = yield* waiting(4)
    server.heartbeat(9, 0)
    assert.include(yield* Effect.flip(Fiber.join(taken)), { reason: "Dropped" })
    assert.strictEqual(place.position, 1)
  }).pipe(Effect.scoped),
)

it.live("advances with the heartbeats once the log had everything at the start", () =>
  Effect.gen(function* () {
    const { place, server, taken } = yield* waiting(2)
    server.heartbeat(5, 0)
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    server.heartbeat(6, 0)
    assert.strictEqual(place.position, 6)
    server.record(7)
    assert.strictEqual((yield* Fiber.join(taken))[0].sequence, 7)
  }).pipe(Effect.scoped),
)
