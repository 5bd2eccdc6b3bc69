/**
 * Tests the way from FEED to a customer's socket: a client that follows a match to its end holds exactly the final
 * state of the match's actor. Runs on every driver.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { matchRoom } from "@matchpoint/contracts/stream/rooms"
import { type LiveSnapshot, type LiveUpdate, UPDATE } from "@matchpoint/cs2/contract/frames"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { GatewayConfig, type GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { inRun } from "@matchpoint/testing/bothRuns"
import { embeddedMemory, temporaryDatabase } from "@matchpoint/testing/databases"
import { Effect, Layer, Schedule } from "effect"
import { inject } from "vitest"
import { followSocket, followStream, type SocketFollower, type SseEvent, type StreamFollower } from "../fixtures/clients/followers.ts"
import { finalDocument, simulatedEvents } from "../fixtures/simulated.ts"
import { announce, feed, KEY, memoryStack, Stack, stack } from "../fixtures/stack.ts"
import { temporaryNamespace } from "../fixtures/temporaryNamespace.ts"

const isEnd = (message: ServerMessage): message is LiveUpdate => message.type === UPDATE && message.data.status === "completed"

const framesOf = (follower: SocketFollower, id: string): ReadonlyArray<LiveUpdate | LiveSnapshot> =>
  follower.messages.flatMap((message) =>
    (message.type === UPDATE || message.type === "cs2.live.snapshot") && !("shape" in message) && message.matchId === id ? [message] : [],
  )

/** Asserts that seqs count up by one from where the client joined. */
const assertNoHole = (seqs: ReadonlyArray<number>, last: number) => {
  assert.isNotEmpty(seqs)
  const from = seqs[0] ?? 0
  assert.deepStrictEqual(
    seqs,
    seqs.map((_, index) => from + index),
  )
  assert.strictEqual(seqs.at(-1), last)
}

const sseUpdates = (follower: StreamFollower): ReadonlyArray<LiveUpdate> =>
  follower.events.flatMap((event): ReadonlyArray<LiveUpdate> => (event.event === UPDATE ? [JSON.parse(event.data)] : []))

const toTheEnd = (first: number) =>
  Effect.gen(function* () {
    const { url, wsUrl } = yield* Stack
    const ids = [matchId(first), matchId(first + 1)] as const
    const matches = ids.map((id, index) => ({ id, events: simulatedEvents(first + index, id) }))
    for (const { id, events } of matches) {
      yield* announce(id)
      yield* feed(events.slice(0, 30))
    }
    const [one] = ids
    const header = { "x-api-key": KEY }
    const single = yield* followSocket(`${wsUrl}/cs2/live/ws`, header)
    yield* single.until((message) => message.type === "ready")
    yield* subscribeWhenThere(single, matchRoom(one))
    const everything = yield* followSocket(`${wsUrl}/cs2/live/ws?apiKey=${KEY}`)
    everything.send({ action: "subscribe", rooms: ["all", matchRoom(one)] })
    yield* everything.until((message) => message.type === "subscribed")
    const sseSingle = yield* followStream(`${url}/cs2/live/stream?matchId=${one}`, KEY)
    const sseAll = yield* followStream(`${url}/cs2/live/stream`, KEY)

    // Paced by the slowest client. A test that outruns its own sockets would trigger the slow-consumer policy.
    const paced = Effect.fnUntraced(function* ({ id, events }: (typeof matches)[number]) {
      for (let next = 30; next < events.length; next += 20) {
        yield* feed(events.slice(next, next + 20))
        const reached = Math.min(next + 20, events.length)
        const hasArrived = (message: ServerMessage): message is LiveUpdate =>
          message.type === UPDATE && message.matchId === id && message.seq >= reached
        const hasArrivedOnSse = (event: SseEvent) => event.id.startsWith(`${id}:1:${reached}:`)
        yield* Effect.all([everything.until(hasArrived), sseAll.until(hasArrivedOnSse)])
        if (id === one) yield* Effect.all([single.until(hasArrived), sseSingle.until(hasArrivedOnSse)])
      }
    })
    // Ends before the test's own time limit, to report the positions reached.
    const positionsReached = Effect.sync(() =>
      ids.map((id) => ({
        id,
        socket: framesOf(everything, id).at(-1)?.seq,
        stream: sseUpdates(sseAll).findLast((frame) => frame.matchId === id)?.seq,
      })),
    )
    yield* Effect.forEach(matches, paced, { concurrency: "unbounded", discard: true }).pipe(
      Effect.timeoutOrElse({
        duration: "40 seconds",
        orElse: () => Effect.flatMap(positionsReached, (positions) => Effect.die({ stuckAt: positions })),
      }),
    )

    for (const { id, events } of matches) {
      const expected = finalDocument(events)
      yield* everything.until((message): message is LiveUpdate => isEnd(message) && message.matchId === id)
      yield* sseAll.until(
        (event) => event.data.includes(`"matchId":"${id}"`) && event.data.includes(`"data":{"matchId":"${id}","status":"completed"`),
      )
      const followed = framesOf(everything, id)
      assert.deepStrictEqual(followed.at(-1)?.data, expected)
      const sse = sseUpdates(sseAll).filter((frame) => frame.matchId === id)
      assert.deepStrictEqual(sse.at(-1)?.data, expected)
      assertNoHole(
        followed.map((frame) => frame.seq),
        events.length,
      )
      assertNoHole(
        sse.map((frame) => frame.seq),
        events.length,
      )
    }

    const last = yield* single.until(isEnd)
    const events = matches[0]?.events ?? []
    assert.deepStrictEqual(last.data, finalDocument(events))
    assertNoHole(
      framesOf(single, one).map((frame) => frame.seq),
      events.length,
    )
    yield* sseSingle.until((event) => event.data.includes('"status":"completed"'))
    const alone = sseUpdates(sseSingle)
    assert.isTrue(alone.every((frame) => frame.matchId === one))
    assertNoHole(
      alone.map((frame) => frame.seq),
      events.length,
    )
    assert.strictEqual(sseSingle.events[0]?.event, "ready")
    // On a busy machine the test takes so long that a ping may come last.
    const lastFrame = sseSingle.events.findLast(({ event }) => event !== "ping")
    assert.isTrue(lastFrame?.id.startsWith(`${one}:1:${events.length}:`))
  })

/**
 * The room exists once the actor has published its first frame. Until then the server answers with an error, so this
 * retries.
 */
const subscribeWhenThere = (follower: SocketFollower, room: string) =>
  Effect.gen(function* () {
    const receivedBefore = follower.messages.length
    follower.send({ action: "subscribe", rooms: [room] })
    const isNew = (message: ServerMessage): message is ServerMessage => follower.messages.indexOf(message) >= receivedBefore
    return (yield* follower.until(isNew)).type === "subscribed"
  }).pipe(Effect.repeat({ until: (subscribed) => subscribed, schedule: Schedule.spaced("100 millis") }))

const withNats = Effect.fnUntraced(function* (reads: GatewaySettings["reads"]) {
  const natsUrl = inject("natsUrl") ?? ""
  const namespace = yield* temporaryNamespace(natsUrl)
  const settings = Layer.effect(
    GatewayConfig,
    Effect.map(GatewayConfig, (defaults) => ({ ...defaults, reads })),
  )
  const served = stack(EventLogNats.layer({ servers: natsUrl, namespace, streams: small }), embeddedMemory)
  yield* toTheEnd(3_101).pipe(Effect.provide(Layer.provide(served, settings)))
})

const withPostgres = Effect.gen(function* () {
  const url = yield* temporaryDatabase(inject("databaseUrl") ?? "")
  yield* toTheEnd(3_201).pipe(Effect.provide(stack(EventLogMemory.layer({ streams }), Postgres.layer({ url }))))
})

describe("a match followed to its end", () => {
  if (inRun(true, false)) it.live("memory log, embedded database", () => toTheEnd(3_001).pipe(Effect.provide(memoryStack)), 60_000)
  else {
    for (const reads of ["all", "followed"] as const) {
      it.live.skipIf(inject("natsUrl") === null)(
        `NATS JetStream, embedded database, gateway reads ${reads}`,
        () => Effect.scoped(withNats(reads)),
        60_000,
      )
    }
    it.live.skipIf(inject("databaseUrl") === null)("memory log, PostgreSQL", () => withPostgres, 60_000)
  }
})

/** Test streams need not reserve the space that production streams do. */
const small = streams.map((spec) => ({ ...spec, maxBytes: 64 * 1024 * 1024 }))
