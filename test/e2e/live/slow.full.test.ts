/**
 * Tests clients that stop reading, under each slow-consumer policy and on both transports: the messages they receive,
 * the memory they use, and the effect on others.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import type { SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { ALL } from "@matchpoint/contracts/stream/rooms"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { slowClients } from "@matchpoint/service-gateway/stream/LiveEndpoint"
import { SseConnection } from "@matchpoint/uws/SseConnection"
import { WebSocketConnection } from "@matchpoint/uws/WebSocketConnection"
import { Effect, Layer, Metric, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { Ear, Gate, isType, openSocket, openStream } from "../../fixtures/clients/liveClients.ts"
import { liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"

const ids = [matchId(7_301), matchId(7_302), matchId(7_303)] as const
/**
 * About six megabytes, more than the kernel ever holds for one connection. Most runs need far fewer: how much it holds
 * depends on the moment.
 */
const matches = ids.map((id, index) => ({ id, records: liveRecords(81 + index, id, Number.POSITIVE_INFINITY, 3) }))
const length = Math.min(...matches.map(({ records }) => records.length))
const CHUNK = 20

/**
 * Linux may let the receive buffer of a connection grow to 32 MB if many small segments arrive at an unlucky moment. The
 * client then never falls behind. This concerns the kernel, not the server, so the test is tried again with a new
 * connection.
 */
const options = { timeout: 30_000, retry: 3 }

/** Chunks played to a client for which the kernel takes no more, about 40 KB each. */
const CHUNKS_BEHIND = 15

/** Limit of bytes buffered for one client. */
const LIMIT = 64 * 1024
const largest = Math.max(...matches.flatMap(({ records }) => records.map(({ data }) => data.length)))

/** These tests fill the buffers of the kernel. A client that is asked whether it reads does not come so far. */
const NEVER = 3_600_000

const edgeLayer = (settings = {}) =>
  EdgeUnderTest.layer({ settings: { maxBackpressureBytes: LIMIT, slowestSeconds: 3, unreadMs: NEVER, ...settings } }).pipe(
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

const urls = (policy: SlowPolicy, name = "") =>
  Effect.map(EdgeUnderTest, ({ url, wsUrl }) => ({
    socket: `${wsUrl}/cs2/live/ws?apiKey=${keyOf("pro", name)}&slow=${policy}`,
    stream: `${url}/cs2/live/stream?apiKey=${keyOf("pro", name)}&slow=${policy}`,
  }))

/** Plays frames `from` to `to` of each match, no faster than `readers` receive them. */
const playPaced = Effect.fnUntraced(function* (from: number, to: number, readers: ReadonlyArray<Ear>) {
  for (let next = from; next < to; next += CHUNK) {
    const end = Math.min(to, next + CHUNK)
    for (const { records } of matches) yield* play(records.slice(next, end))
    for (const ear of readers) for (const { id } of matches) yield* ear.reaches(id, end)
  }
})

/** Watches every connection opened from now on, to see which of them fall behind. */
const watchConnections = Effect.acquireRelease(
  Effect.sync(() => {
    const sockets = new Set<WebSocketConnection<unknown>>()
    const sources = new Set<SseConnection<unknown>>()
    const { attach } = WebSocketConnection.prototype
    const { subscribe } = SseConnection.prototype
    const watched = [
      vi.spyOn(WebSocketConnection.prototype, "attach").mockImplementation(function (this: WebSocketConnection<unknown>, socket) {
        sockets.add(this)
        attach.call(this, socket)
      }),
      vi.spyOn(SseConnection.prototype, "subscribe").mockImplementation(function (this: SseConnection<unknown>, topic) {
        sources.add(this)
        subscribe.call(this, topic)
      }),
    ]
    const buffers = () => [
      ...[...sockets].map((connection) => ({ closed: connection.closed, bytes: connection.bufferedBytes() })),
      ...[...sources].map((connection) => ({ closed: connection.closed, bytes: connection.bufferedBytes })),
    ]
    return {
      largestBuffer: () => Math.max(0, ...buffers().map(({ bytes }) => bytes)),
      /** Number of connections for which the kernel takes no more, or that were closed for that. */
      countFull: () => buffers().filter(({ bytes, closed }) => closed || bytes > 0).length,
      restore: () => {
        for (const one of watched) one.mockRestore()
      },
    }
  }),
  ({ restore }) => Effect.sync(restore),
)

type Connections = Effect.Success<typeof watchConnections>

/** Frames received and frames announced as missing, sorted. Together they must cover every frame. */
const accountFor = (ear: Ear, id: string, first: number): ReadonlyArray<number> =>
  [
    ...(ear.transcript.seqs.get(id) ?? []),
    ...ear.transcript.missing
      .filter((range) => range.matchId === id)
      .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
  ]
    .filter((seq) => seq >= first)
    .sort((a, b) => a - b)

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

interface Slow {
  readonly ear: Ear
  readonly stop: () => void
  readonly resumeReading: () => void
}

const slowSocket = Effect.fnUntraced(function* (policy: SlowPolicy) {
  const ear = new Ear()
  const client = yield* openSocket("ws", (yield* urls(policy, "slow")).socket, ear)
  client.send({ action: "subscribe", rooms: [ALL] })
  const slow: Slow = { ear, stop: client.pause, resumeReading: client.resume }
  return { ...slow, closed: client.closed }
})

const slowStream = Effect.fnUntraced(function* (policy: SlowPolicy) {
  const gate = new Gate()
  const { ear } = yield* openStream("eventsource", (yield* urls(policy, "slow")).stream, new Ear(), gate)
  const slow: Slow = { ear, stop: () => gate.shut(), resumeReading: () => gate.open() }
  return slow
})

const bystanders = Effect.gen(function* () {
  const { socket, stream } = yield* urls("conflate")
  const ear = new Ear()
  const client = yield* openSocket("ws", socket, ear)
  client.send({ action: "subscribe", rooms: [ALL] })
  const source = yield* openStream("undici", stream)
  return [ear, source.ear]
})

/**
 * Plays until the kernel takes no more for `slowClients` clients, `slow` among them, and then far more than `LIMIT`.
 * Returns the most bytes that were buffered, and the last frame played of each match.
 */
const fallBehind = Effect.fnUntraced(function* (slow: Slow, others: ReadonlyArray<Ear>, connections: Connections, slowClients = 1) {
  yield* playPaced(0, CHUNK, [...others, slow.ear])
  slow.stop()
  let [last, waited] = [CHUNK, 0]
  const playNext = Effect.fnUntraced(function* () {
    assert.isAtMost(last + 2 * CHUNK, length, "the matches are too short to fill the kernel's buffers")
    yield* playPaced(last, last + CHUNK, others)
    last += CHUNK
    waited = Math.max(waited, connections.largestBuffer())
  })
  while (connections.countFull() < slowClients) yield* playNext()
  for (let chunk = 0; chunk < CHUNKS_BEHIND; chunk += 1) yield* playNext()
  return { last, waited }
})

const assertUndisturbed = (others: ReadonlyArray<Ear>, last: number) => {
  for (const { transcript } of others) {
    assert.deepStrictEqual([transcript.problems, transcript.missing, transcript.verdicts], [[], [], []])
    for (const { id } of matches) assert.deepStrictEqual(transcript.seqs.get(id), range(1, last))
  }
}

const transports = [
  ["WebSocket", slowSocket],
  ["SSE", slowStream],
] as const

describe("a client that stops reading for a while", () => {
  for (const [transport, open] of transports) {
    it.live(
      `${transport}, conflate: receives a gap notice, then the newest frames, and continues`,
      () =>
        Effect.gen(function* () {
          const connections = yield* watchConnections
          const others = yield* bystanders
          const slow = yield* open("conflate")
          yield* Effect.forEach([...others, slow.ear], (ear) => ear.until(isType("caught_up")))
          const { last, waited } = yield* fallBehind(slow, others, connections)
          assert.isAtMost(waited, LIMIT + largest)
          slow.resumeReading()
          yield* Effect.forEach(matches, ({ id }) => slow.ear.reaches(id, last))
          yield* playPaced(last, last + CHUNK, [...others, slow.ear])
          assert.deepStrictEqual(slow.ear.transcript.problems, [])
          assert.isNotEmpty(slow.ear.messages.filter(isType("gap")))
          for (const { id } of matches) assert.deepStrictEqual(new Set(accountFor(slow.ear, id, 1)), new Set(range(1, last + CHUNK)))
          assertUndisturbed(others, last + CHUNK)
        }).pipe(Effect.provide(edgeLayer())),
      options,
    )

    it.live(
      `${transport}, catchup: receives every frame late`,
      () =>
        Effect.gen(function* () {
          const connections = yield* watchConnections
          const others = yield* bystanders
          const slow = yield* open("catchup")
          yield* Effect.forEach([...others, slow.ear], (ear) => ear.until(isType("caught_up")))
          const { last, waited } = yield* fallBehind(slow, others, connections)
          assert.isAtMost(waited, LIMIT + largest)
          slow.resumeReading()
          yield* playPaced(last, last + CHUNK, [...others, slow.ear])
          assertUndisturbed([...others, slow.ear], last + CHUNK)
        }).pipe(Effect.provide(edgeLayer())),
      options,
    )
  }

  it.live(
    "WebSocket, close: closes with 3008 and resumes after the last frame",
    () =>
      Effect.gen(function* () {
        const connections = yield* watchConnections
        const others = yield* bystanders
        const slow = yield* slowSocket("close")
        yield* Effect.forEach([...others, slow.ear], (ear) => ear.until(isType("caught_up")))
        const { last } = yield* fallBehind(slow, others, connections)
        slow.resumeReading()
        assert.strictEqual((yield* slow.closed).code, 3008)
        const cursor = slow.ear.transcript.cursor()
        const again = yield* openSocket("ws", (yield* urls("close")).socket, slow.ear)
        again.send({ action: "subscribe", rooms: [ALL], resume: { [ALL]: cursor } })
        yield* Effect.forEach(matches, ({ id }) => slow.ear.reaches(id, last))
        const { transcript } = slow.ear
        assert.deepStrictEqual([transcript.problems, transcript.missing, transcript.verdicts], [[], [], ["recovered"]])
        assertUndisturbed(others, last)
      }).pipe(Effect.provide(edgeLayer())),
    options,
  )

  it.live(
    "SSE, close: ends the stream, and EventSource resumes by itself",
    () =>
      Effect.gen(function* () {
        const connections = yield* watchConnections
        const others = yield* bystanders
        const slow = yield* slowStream("close")
        yield* Effect.forEach([...others, slow.ear], (ear) => ear.until(isType("caught_up")))
        const { last } = yield* fallBehind(slow, others, connections)
        slow.resumeReading()
        yield* Effect.forEach(matches, ({ id }) => slow.ear.reaches(id, last))
        const { transcript } = slow.ear
        assert.deepStrictEqual([transcript.problems, transcript.missing, transcript.verdicts], [[], [], ["recovered"]])
        assertUndisturbed(others, last)
      }).pipe(Effect.provide(edgeLayer())),
    options,
  )

  it.live(
    "catchup with rings that have moved on: announces exactly the lost frames",
    () =>
      Effect.gen(function* () {
        const connections = yield* watchConnections
        const others = yield* bystanders
        const slow = yield* slowSocket("catchup")
        yield* Effect.forEach([...others, slow.ear], (ear) => ear.until(isType("caught_up")))
        const { last } = yield* fallBehind(slow, others, connections)
        slow.resumeReading()
        yield* playPaced(last, last + CHUNK, [...others, slow.ear])
        assert.deepStrictEqual(slow.ear.transcript.problems, [])
        for (const { id } of matches) assert.deepStrictEqual(new Set(accountFor(slow.ear, id, 1)), new Set(range(1, last + CHUNK)))
        assertUndisturbed(others, last + CHUNK)
      }).pipe(
        Effect.provide(
          edgeLayer({
            roomBounds: {
              match: { frames: 50, bytes: 10_000_000, ageMs: 60_000 },
              all: { frames: 100, bytes: 10_000_000, ageMs: 60_000 },
              totalBytes: 100_000_000,
            },
          }),
        ),
      ),
    options,
  )
})

describe("a WebSocket client that does not answer pings", () => {
  it.live(
    "gets nothing more before the kernel's buffers are full, and gap and newest frames once it reads",
    () =>
      Effect.gen(function* () {
        const connections = yield* watchConnections
        const others = yield* bystanders
        const slow = yield* slowSocket("conflate")
        yield* Effect.forEach([...others, slow.ear], (ear) => ear.until(isType("caught_up")))
        yield* playPaced(0, CHUNK, [...others, slow.ear])
        slow.stop()
        // More than the 256 KB after which it counts, and far less than the kernel takes.
        const unread = 8 * CHUNK
        const { count } = yield* Metric.value(slowClients)
        yield* playPaced(CHUNK, unread, others)
        yield* Metric.value(slowClients).pipe(Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (now) => now.count > count }))
        const last = unread + 3 * CHUNK
        yield* playPaced(unread, last, others)
        assert.strictEqual(connections.countFull(), 0)
        slow.resumeReading()
        yield* Effect.forEach(matches, ({ id }) => slow.ear.reaches(id, last))
        // Without the ping, the kernel would have had all frames for it.
        assert.isNotEmpty(slow.ear.messages.filter(isType("gap")))
        for (const { id } of matches) assert.deepStrictEqual(new Set(accountFor(slow.ear, id, 1)), new Set(range(1, last)))
        assertUndisturbed(others, last)
      }).pipe(Effect.provide(edgeLayer({ slowestSeconds: 30, unreadMs: 500 }))),
    options,
  )
})

describe("a client that never reads again", () => {
  it.effect(
    "is closed after slowestSeconds, on either transport, without effect on others",
    () =>
      Effect.gen(function* () {
        const connections = yield* watchConnections
        const others = yield* bystanders
        const slow = yield* slowSocket("conflate")
        const stream = yield* slowStream("catchup")
        yield* Effect.forEach([...others, slow.ear, stream.ear], (ear) => ear.until(isType("caught_up")))
        stream.stop()
        const { last } = yield* fallBehind(slow, others, connections, 2)
        // Connections are checked every five seconds: the first check finds the client stuck, the second finds it still
        // stuck.
        yield* TestClock.adjust("5 seconds")
        yield* TestClock.adjust("5 seconds")
        slow.resumeReading()
        assert.strictEqual((yield* slow.closed).code, 3008)
        stream.resumeReading()
        yield* stream.ear.becomes("resumed by itself", () => stream.ear.transcript.verdicts.length > 0)
        yield* playPaced(last, last + CHUNK, [...others, stream.ear])
        assert.deepStrictEqual(stream.ear.transcript.problems, [])
        assertUndisturbed(others, last + CHUNK)
      }).pipe(Effect.provide(edgeLayer())),
    options,
  )
})

describe("clients with too many unsent bytes in total", () => {
  for (const [transport, open] of transports) {
    it.live(
      `${transport}: ends those with the most bytes, whatever their policy, and lets them resume; others are unaffected`,
      () =>
        Effect.gen(function* () {
          const connections = yield* watchConnections
          const others = yield* bystanders
          const slow = yield* open("catchup")
          yield* Effect.forEach([...others, slow.ear], (ear) => ear.until(isType("caught_up")))
          const { last } = yield* fallBehind(slow, others, connections)
          // Longer than two checks take.
          yield* Effect.sleep("1 second")
          slow.resumeReading()
          if ("closed" in slow) {
            const { code } = yield* slow.closed
            // The client did not read its close frame in time.
            assert.strictEqual(code, 1006)
            const again = yield* openSocket("ws", (yield* urls("catchup")).socket, slow.ear)
            again.send({ action: "subscribe", rooms: [ALL], resume: { [ALL]: slow.ear.transcript.cursor() } })
          }
          yield* Effect.forEach(matches, ({ id }) => slow.ear.reaches(id, last))
          yield* playPaced(last, last + CHUNK, others)
          const { transcript } = slow.ear
          assert.deepStrictEqual([transcript.problems, transcript.missing, transcript.verdicts], [[], [], ["recovered"]])
          assertUndisturbed(others, last + CHUNK)
        }).pipe(Effect.provide(edgeLayer({ maxUnsentBytes: LIMIT / 2, slowestSeconds: 1_000 }))),
      options,
    )
  }
})
