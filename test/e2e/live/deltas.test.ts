/**
 * Tests shape v2, conflation and heartbeats with independent clients: every delta applies, every hash matches, and the
 * result is the actor's document.
 */
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { DELTA, SNAPSHOT, UPDATE } from "@matchpoint/cs2/contract/frames"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Ear, isType, openSocket, openStream } from "../../fixtures/clients/liveClients.ts"
import { documentOf, liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"

const one = matchId(7_501)
const two = matchId(7_502)
const records: Readonly<Record<MatchId, ReturnType<typeof liveRecords>>> = {
  [one]: liveRecords(91, one, 700),
  [two]: liveRecords(92, two, 700),
}

const edgeLayer = EdgeUnderTest.layer().pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))

const playTo = Effect.fnUntraced(function* (id: MatchId, from: number, to: number) {
  yield* play(records[id]?.slice(from, to) ?? [])
})

const assertDocument = (ear: Ear, id: MatchId, seq: number, shape: Shape) => {
  const record = records[id]?.[seq - 1]
  assert.deepStrictEqual([ear.transcript.track(id)?.seq, ear.transcript.problems], [seq, []])
  assert.deepStrictEqual(ear.transcript.track(id)?.document, record === undefined ? undefined : documentOf(record, shape))
}

interface FollowOptions {
  readonly shape: Shape
  readonly room: string
  readonly maxRateMs?: number
}

const follow = Effect.fnUntraced(function* (options: FollowOptions) {
  const { wsUrl } = yield* EdgeUnderTest
  const { maxRateMs, room, shape } = options
  const ear = new Ear({ conflated: maxRateMs !== undefined })
  const client = yield* openSocket("ws", `${wsUrl}/cs2/live/ws?apiKey=${keyOf("pro")}`, ear)
  client.send({ action: "subscribe", rooms: [room], shape, ...(maxRateMs === undefined ? {} : { maxRateMs }) })
  yield* ear.until(isType("caught_up"))
  return { ...client, ear }
})

it.live("v2: deltas from the first frame to the last yield the actor's document, on either transport", () =>
  Effect.gen(function* () {
    const { url } = yield* EdgeUnderTest
    yield* playTo(one, 0, 1)
    const socket = yield* follow({ shape: "v2", room: matchRoom(one) })
    const stream = yield* openStream("undici", `${url}/cs2/live/stream?apiKey=${keyOf("pro")}&shape=v2`)
    yield* stream.ear.until(isType("caught_up"))
    for (let seq = 1; seq < 700; seq += 100) {
      yield* playTo(one, seq, Math.min(700, seq + 100))
      for (const ear of [socket.ear, stream.ear]) yield* ear.reaches(one, Math.min(700, seq + 100))
    }
    for (const { ear } of [socket, stream]) {
      assertDocument(ear, one, 700, "v2")
      assert.strictEqual(ear.transcript.seqs.get(one)?.length, 699)
      assert.isAtLeast(ear.transcript.hashesChecked, 20)
      assert.isEmpty(ear.messages.filter(isType(UPDATE)))
    }
    // A client with doubts about its document requests it again.
    const before = socket.ear.messages.length
    socket.send({ action: "resync", rooms: [matchRoom(one)] })
    const snapshot = yield* socket.ear.until(isType(SNAPSHOT), before)
    assert.strictEqual(snapshot.seq, 700)
    yield* socket.ear.until(isType("caught_up"), before)
    assertDocument(socket.ear, one, 700, "v2")
    socket.send({ action: "resync", rooms: [matchRoom(two)] })
    assert.strictEqual((yield* socket.ear.until(isType("error"), before)).code, "UNKNOWN_ROOM")
  }).pipe(Effect.provide(edgeLayer)),
)

for (const shape of ["v1", "v2"] as const) {
  it.effect(`${shape}, conflated: sends one frame per match and step, which is the newest and applies to the previous one`, () =>
    Effect.gen(function* () {
      const { url } = yield* EdgeUnderTest
      yield* playTo(one, 0, 5)
      // 300 is rounded up to a step of 500 ms.
      const single = yield* follow({ shape, room: matchRoom(one), maxRateMs: 300 })
      const everything = yield* follow({ shape, room: ALL, maxRateMs: 500 })
      const { ear: stream } = yield* openStream(
        "eventsource",
        `${url}/cs2/live/stream?apiKey=${keyOf("pro")}&shape=${shape}&maxRateMs=300&matchId=${one}`,
        new Ear({ conflated: true }),
      )
      yield* stream.until(isType("caught_up"))
      const full = yield* follow({ shape: "v1", room: ALL })
      assert.strictEqual(single.ear.messages.find(isType("subscribed"))?.max_rate_ms, 500)
      const ears = [single.ear, everything.ear, stream]
      let seq = 5
      let joined: Ear | undefined
      for (let step = 1; step <= 12; step++) {
        yield* playTo(one, seq, seq + 9)
        if (step > 4) yield* playTo(two, seq, seq + 9)
        else if (step === 4) yield* playTo(two, 0, seq + 9)
        seq += 9
        yield* full.ear.reaches(one, seq)
        if (step >= 4) yield* full.ear.reaches(two, seq)
        if (step === 6) {
          // Joins in the middle of a step: starts at the same frame as the others and continues with them.
          joined = (yield* follow({ shape, room: ALL, maxRateMs: 500 })).ear
          ears.push(joined)
        }
        yield* TestClock.adjust("500 millis")
        for (const ear of ears) yield* ear.reaches(one, seq)
        for (const ear of [everything.ear, joined]) if (step >= 4) yield* ear?.reaches(two, seq) ?? Effect.void
        for (const ear of ears) assert.deepStrictEqual(ear.transcript.problems, [])
      }
      for (const ear of ears) assertDocument(ear, one, seq, shape)
      for (const ear of [everything.ear, joined ?? everything.ear]) assertDocument(ear, two, seq, shape)
      const expected = Array.from({ length: 12 }, (_, index) => 5 + 9 * (index + 1))
      assert.deepStrictEqual(single.ear.transcript.seqs.get(one), expected)
      assert.deepStrictEqual(everything.ear.transcript.seqs.get(one), expected)
      if (shape === "v2") {
        assert.isAtLeast(single.ear.transcript.hashesChecked, 12)
        const deltas = single.ear.messages.filter(isType(DELTA))
        assert.deepStrictEqual(
          deltas.map(({ base }) => base),
          [5, ...expected.slice(0, -1)],
        )
      }
    }).pipe(Effect.provide(edgeLayer)),
  )
}

for (const shape of ["v1", "v2"] as const) {
  it.effect(`${shape}, conflated: sends a new match to every client, including one that joins at that moment`, () =>
    Effect.gen(function* () {
      yield* playTo(one, 0, 5)
      const full = yield* follow({ shape: "v1", room: ALL })
      const first = yield* follow({ shape, room: ALL, maxRateMs: 500 })
      yield* playTo(two, 0, 5)
      yield* full.ear.reaches(two, 5)
      const second = yield* follow({ shape, room: ALL, maxRateMs: 500 })
      yield* TestClock.adjust("500 millis")
      for (const { ear } of [first, second]) {
        yield* ear.reaches(two, 5)
        assertDocument(ear, two, 5, shape)
        assertDocument(ear, one, 5, shape)
      }
      yield* playTo(two, 5, 9)
      yield* full.ear.reaches(two, 9)
      yield* TestClock.adjust("500 millis")
      for (const { ear } of [first, second]) {
        yield* ear.reaches(two, 9)
        assertDocument(ear, two, 9, shape)
      }
    }).pipe(Effect.provide(edgeLayer)),
  )
}

it.effect("sends heartbeats with the position and age of each match on every channel", () =>
  Effect.gen(function* () {
    const { url } = yield* EdgeUnderTest
    yield* playTo(one, 0, 10)
    yield* playTo(two, 0, 20)
    const single = yield* follow({ shape: "v1", room: matchRoom(one) })
    const everything = yield* follow({ shape: "v2", room: ALL })
    const conflated = yield* follow({ shape: "v2", room: matchRoom(two), maxRateMs: 1_000 })
    const { ear: stream } = yield* openStream("undici", `${url}/cs2/live/stream?apiKey=${keyOf("pro")}&matchId=${two}`)
    yield* stream.until(isType("caught_up"))
    yield* TestClock.adjust("9 seconds")
    yield* playTo(one, 10, 12)
    yield* single.ear.reaches(one, 12)
    yield* TestClock.adjust("6 seconds")
    const ofOne = { matchId: one, epoch: 1, seq: 12, age_ms: 6_000 }
    const ofTwo = { matchId: two, epoch: 1, seq: 20, age_ms: 15_000 }
    for (const [ear, matches] of [
      [single.ear, [ofOne]],
      [everything.ear, [ofOne, ofTwo]],
      [conflated.ear, [ofTwo]],
      [stream, [ofTwo]],
    ] as const) {
      const heartbeat = yield* ear.until(isType("heartbeat"))
      assert.deepStrictEqual([heartbeat.matches, heartbeat.position, Date.parse(heartbeat.at)], [matches, 32, 15_000])
      assert.deepStrictEqual(ear.transcript.problems, [])
    }
    assert.strictEqual(yield* Clock.currentTimeMillis, 15_000)
  }).pipe(Effect.provide(edgeLayer)),
)
