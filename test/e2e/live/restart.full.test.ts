/**
 * Tests restarts of the gateway while matches go on: independent clients are notified, reconnect by themselves and miss
 * nothing.
 */
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogFile from "@matchpoint/bus/EventLogFile"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { streams } from "@matchpoint/contracts/bus/subjects"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { jetstreamManager } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Effect, Layer, Stream } from "effect"
import { inject } from "vitest"
import { isType, openStream, type SocketKind, type StreamKind } from "../../fixtures/clients/liveClients.ts"
import { liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { type ComingBack, comingBack } from "../../fixtures/comingBack.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"
import { DEV_KEY, Standalone } from "../../fixtures/Standalone.ts"

const one = matchId(7_101)
const two = matchId(7_102)
const ofOne = liveRecords(73, one, 400)
const ofTwo = liveRecords(74, two, 400)

const shapes: ReadonlyArray<Shape> = ["v1", "v2"]
const sockets: ReadonlyArray<SocketKind> = ["ws", "undici"]
const sources: ReadonlyArray<StreamKind> = ["eventsource", "undici"]

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-live-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 5 })),
)
/** Test streams need not reserve the space that production streams do. */
const small = streams.map((spec) => ({ ...spec, maxBytes: 64 * 1024 * 1024 }))

const temporaryNamespace = (servers: string) =>
  Effect.acquireRelease(
    Effect.sync(() => `live-${randomUUID().slice(0, 8)}`),
    (namespace) =>
      Effect.promise(async () => {
        const connection = await connect({ servers })
        const manager = await jetstreamManager(connection)
        for await (const name of manager.streams.names()) if (name.includes(namespace)) await manager.streams.delete(name)
        await connection.close()
      }),
  )

const fileLog = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => EventLogFile.layer({ streams: small, directory })))

/** Asserts that a client received every frame from `first` to `last` exactly once. */
const assertWhole = (client: { readonly ear: ComingBack["ear"] }, id: string, first: number, last: number) => {
  const { transcript } = client.ear
  assert.deepStrictEqual(transcript.problems, [])
  assert.deepStrictEqual(transcript.missing, [])
  const seqs = transcript.seqs.get(id) ?? []
  assert.deepStrictEqual(
    seqs,
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
}

const rollingRestarts = Effect.gen(function* () {
  const edge = yield* EdgeUnderTest
  let played = 0
  const playNext = (count: number) =>
    Effect.suspend(() => {
      const from = played
      played += count
      return play(ofOne.slice(from, played).flatMap((record, index) => [record, ofTwo[from + index] ?? record]))
    })
  yield* playNext(10)
  const socketUrl = `${edge.wsUrl}/cs2/live/ws?apiKey=${keyOf("pro")}`
  const streamUrl = `${edge.url}/cs2/live/stream?apiKey=${keyOf("pro")}`
  // Over SSE, shape v1 has no snapshot: its first frame is an update.
  const clients: Array<{ readonly ear: ComingBack["ear"]; readonly both: boolean; readonly first: number }> = []
  const bySocket: Array<ComingBack> = []
  for (const shape of shapes) {
    for (const kind of sockets) {
      const single = yield* comingBack(kind, socketUrl, { shape, matchId: one })
      const everything = yield* comingBack(kind, socketUrl, { shape })
      bySocket.push(single, everything)
      clients.push({ ear: single.ear, both: false, first: 11 }, { ear: everything.ear, both: true, first: 11 })
    }
    for (const kind of sources) {
      const first = shape === "v1" ? 10 : 11
      const single = yield* openStream(kind, `${streamUrl}&shape=${shape}&matchId=${one}`)
      const everything = yield* openStream(kind, `${streamUrl}&shape=${shape}`)
      clients.push({ ear: single.ear, both: false, first }, { ear: everything.ear, both: true, first })
    }
  }
  const all = <E>(step: (client: (typeof clients)[number]) => Effect.Effect<unknown, E>) =>
    Effect.forEach(clients, step, { concurrency: "unbounded", discard: true })
  yield* all(({ ear }) => ear.until(isType("caught_up")))

  for (let restart = 1; restart <= 2; restart++) {
    yield* playNext(20)
    // Some frames are in flight now: no longer at the server and not yet at a client.
    yield* edge.stop
    yield* playNext(20)
    yield* edge.start
    yield* playNext(20)
    yield* all(({ both, ear }) => Effect.andThen(ear.reaches(one, played), both ? ear.reaches(two, played) : Effect.void))
    for (const { ear } of clients) {
      assert.strictEqual(ear.messages.filter(isType("reconnect")).length, restart)
      assert.deepStrictEqual(
        ear.transcript.verdicts,
        Array.from({ length: restart }, () => "recovered"),
      )
    }
  }

  for (const client of clients) {
    assertWhole(client, one, client.first, played)
    if (client.both) assertWhole(client, two, client.first, played)
  }
  for (const { ends, reconnects } of bySocket) {
    assert.deepStrictEqual(
      ends.map(({ code }) => code),
      [1001, 1001],
    )
    for (const { own, notice } of reconnects) {
      const [cursor] = Object.values(notice.resume)
      assert.strictEqual(notice.reason, "draining")
      assert.deepInclude(cursor, own)
    }
  }
  for (const { ear } of clients.filter((client) => !bySocket.some((socket) => socket.ear === client.ear))) {
    const errors = ear.messages.filter(isType("error")).map(({ code }) => code)
    assert.deepStrictEqual(errors, ["SHUTTING_DOWN", "SHUTTING_DOWN"])
  }
})

describe("a rolling restart loses nothing", () => {
  it.live(
    "on the memory log",
    () => rollingRestarts.pipe(Effect.provide(EdgeUnderTest.layer().pipe(Layer.provideMerge(EventLogMemory.layer({ streams }))))),
    30_000,
  )
  it.live(
    "on the file log, with batched frames and a cursor older than the rings",
    () =>
      rollingRestarts.pipe(
        Effect.provide(
          EdgeUnderTest.layer({
            load: 1,
            settings: {
              roomBounds: {
                match: { frames: 4, bytes: 1_000_000, ageMs: 60_000 },
                all: { frames: 4, bytes: 1_000_000, ageMs: 60_000 },
                totalBytes: 10_000_000,
              },
            },
          }).pipe(Layer.provideMerge(fileLog)),
        ),
      ),
    30_000,
  )

  const natsUrl = inject("natsUrl")
  it.live.skipIf(natsUrl === null)(
    "on NATS JetStream",
    () =>
      Effect.gen(function* () {
        const servers = natsUrl ?? ""
        const namespace = yield* temporaryNamespace(servers)
        const log = EventLogNats.layer({ servers, namespace, streams: small })
        yield* rollingRestarts.pipe(Effect.provide(EdgeUnderTest.layer().pipe(Layer.provideMerge(log))))
      }),
    30_000,
  )
})

/** A log that takes 100 ms to read, like a long one. */
const longLog = Layer.effect(
  EventLog,
  Effect.map(EventLog, (log) => ({
    ...log,
    read: (...args: Parameters<EventLog["Service"]["read"]>) => Stream.unwrap(Effect.as(Effect.sleep("100 millis"), log.read(...args))),
  })),
).pipe(Layer.provide(EventLogMemory.layer({ streams })))

describe("a gateway that stops and starts", () => {
  it.live("answers a stream request with nothing but a stream, because EventSource would stop retrying", () =>
    Effect.gen(function* () {
      const edge = yield* EdgeUnderTest
      const outcomes = new Set<number | "connection refused">()
      let streams = 0
      const requestStream = Effect.promise(async () => {
        const abort = new AbortController()
        try {
          const response = await fetch(`${edge.url}/cs2/live/stream?apiKey=${keyOf("pro")}`, { signal: abort.signal })
          outcomes.add(response.status)
          if (response.ok) streams += 1
        } catch {
          outcomes.add("connection refused")
        }
        abort.abort()
      })
      yield* Effect.forkChild(Effect.forever(requestStream))
      for (let restarts = 0; restarts < 4; restarts++) {
        yield* edge.stop
        yield* edge.start
        const before = streams
        while (streams === before) yield* Effect.sleep("2 millis")
      }
      assert.deepStrictEqual([...outcomes].sort(), [200, "connection refused"])
    }).pipe(Effect.provide(EdgeUnderTest.layer({ settings: { handshakesPerSecond: 1e6 } }).pipe(Layer.provideMerge(longLog)))),
  )
})

describe("a server that is killed", () => {
  it.live(
    "keeps its history, so that every client resumes after its last frame",
    () =>
      Effect.gen(function* () {
        const server = yield* Standalone
        const root = `${server.url}/api/v1/cs2/live`
        const clients: Array<ComingBack["ear"]> = []
        for (const [index, kind] of sockets.entries()) {
          const shape = shapes[index] ?? "v1"
          clients.push((yield* comingBack(kind, `${root.replace("http", "ws")}/ws?apiKey=${DEV_KEY}`, { shape })).ear)
        }
        for (const [index, kind] of sources.entries()) {
          clients.push((yield* openStream(kind, `${root}/stream?apiKey=${DEV_KEY}&shape=${shapes[index]}`)).ear)
        }
        const frames = (ear: ComingBack["ear"]) => [...ear.transcript.seqs.values()].reduce((sum, seqs) => sum + seqs.length, 0)
        const allHave = (count: number) =>
          Effect.forEach(clients, (ear) => ear.becomes(`${count} frames`, () => frames(ear) >= count), { concurrency: "unbounded" })
        yield* allHave(30)
        yield* server.kill
        yield* server.start
        const before = Math.max(...clients.map(frames))
        yield* allHave(before + 60)
        for (const { transcript } of clients) {
          assert.deepStrictEqual(transcript.problems, [])
          assert.deepStrictEqual([transcript.verdicts, transcript.missing], [["recovered"], []])
          for (const seqs of transcript.seqs.values()) {
            assert.deepStrictEqual(
              seqs,
              seqs.map((_, index) => (seqs[0] ?? 0) + index),
            )
          }
        }
      }).pipe(Effect.provide(Standalone.layer({ matches: 3, speed: 60 }))),
    180_000,
  )
})
