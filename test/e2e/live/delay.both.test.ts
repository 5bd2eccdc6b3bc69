/**
 * Tests that the plans Free and Starter are a minute behind on every channel. Runs random sequences of all ways to read
 * and to follow, with the test's clock and over real sockets, and searches each response for facts that are too young.
 * The name of a failing test contains its seed.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { inRun } from "@matchpoint/testing/bothRuns"
import { Clock, Effect, Layer, Random } from "effect"
import { TestClock } from "effect/testing"
import { Ear, isType, openSocket, openStream, type SocketClient } from "../../fixtures/clients/liveClients.ts"
import { documentOf, liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { DelayOracle } from "../../fixtures/DelayOracle.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"

const DELAY_MS = 60_000
const STEPS = 60
const CLIENTS = 18
const ids = [matchId(7_201), matchId(7_202), matchId(7_203), matchId(7_204)] as const
const first = { id: ids[0], records: liveRecords(75, ids[0], 400) }
const matches = [first, ...ids.slice(1).map((id, index) => ({ id, records: liveRecords(76 + index, id, 400) }))]

const reads = ["", "/socket", "/scoreboard", "/state", "/rounds", "/events", "/player-stats", "/maps", "/snapshots"] as const
const snapshotQueries = ["", "&from=1970-01-01T00:00:00.000Z", "&to=2027-01-01T00:00:00.000Z", "&source=live", "&limit=1&page=2"] as const
const shapes: ReadonlyArray<Shape> = ["v1", "v2"]
const paces = ["", "&maxRateMs=100", "&maxRateMs=5000", "&flush=immediate"] as const

interface Follower {
  readonly name: string
  readonly ear: Ear
  /** Undefined for an SSE stream. */
  readonly socket: SocketClient | undefined
  readonly rooms: ReadonlyArray<string>
  readonly shape: Shape
  /** False if the follower started from a made-up cursor. Then only the age of its data is checked. */
  readonly isTrue: boolean
}

const randomSequence = Effect.gen(function* () {
  const edge = yield* EdgeUnderTest
  const clock = yield* Clock.Clock
  const oracle = new DelayOracle(DELAY_MS, () => clock.currentTimeMillisUnsafe())
  const played = new Map<string, number>()
  /** Frames in the log, in its order. */
  const logged: Array<{ readonly id: (typeof ids)[number]; readonly seq: number }> = []
  const followers: Array<Follower> = []
  let lastPlayed = 0
  let attempts = 0
  /** Number of matches that have begun. */
  let begun = matches.length - 1
  const oneOf = <A>(items: ReadonlyArray<A>) =>
    Effect.map(Random.nextIntBetween(0, items.length - 1), (index) => items[index] ?? assert.fail("there is nothing to choose from"))

  const get = Effect.fnUntraced(function* (plan: "free" | "starter" | "pro", path: string, tag?: string) {
    const headers = { "x-api-key": keyOf(plan), ...(tag === undefined ? {} : { "if-none-match": tag }) }
    return yield* Effect.promise(async () => {
      const response = await fetch(edge.url + path, { headers: { "accept-encoding": "identity", ...headers } })
      return { status: response.status, tag: response.headers.get("etag") ?? "", body: await response.text() }
    })
  })

  const playSome = Effect.gen(function* () {
    const { id, records } = yield* oneOf(matches.slice(0, begun))
    const from = played.get(id) ?? 0
    const to = Math.min(records.length, from + (yield* Random.nextIntBetween(1, 12)))
    for (const record of records.slice(from, to)) {
      oracle.played(id, record)
      logged.push({ id, seq: record.seq })
    }
    yield* play(records.slice(from, to))
    played.set(id, to)
    lastPlayed = clock.currentTimeMillisUnsafe()
  })

  /** Waits until every client has received what was sent so far, because later messages are judged by a later clock. */
  const settle = Effect.gen(function* () {
    for (const { ear, socket } of followers) {
      if (socket === undefined) continue
      const before = ear.messages.length
      socket.send({ action: "ping" })
      yield* ear.until(isType("pong"), before)
    }
    yield* get("free", "/cs2/live")
  })

  const advanceClock = Effect.gen(function* () {
    yield* settle
    yield* TestClock.adjust(yield* Random.nextIntBetween(1, 20_000))
    yield* settle
  })

  const read = Effect.gen(function* () {
    const { id } = yield* oneOf(matches)
    const shape = yield* oneOf(shapes)
    const path = yield* oneOf(reads)
    const query = path === "/snapshots" ? yield* oneOf(snapshotQueries) : ""
    const url = path === "" ? `/cs2/live?shape=${shape}` : `/cs2/live/${id}${path}?shape=${shape}${query}`
    const plan = yield* oneOf(["free", "starter"] as const)
    const pro = yield* get("pro", url)
    const { body, status, tag } = yield* get(plan, url)
    oracle.judge(url, body)
    oracle.judgeTag(url, id, tag)
    const allowed = oracle.newestAllowed(id)
    if (path === "") {
      const total: number = JSON.parse(body).meta.total
      assert.strictEqual(total, ids.filter((one) => statusAt(one, oracle.newestAllowed(one)) === "live").length, "live matches")
    } else if (allowed === 0) assert.strictEqual(status, 404, url)
    else if (path === "/state" && shape === "v2") {
      assert.deepStrictEqual(JSON.parse(body).data, documentAt(id, allowed, "v2"))
    }
    // The entity tag of a real-time plan must not match; the plan's own tag must.
    if (status === 200) assert.strictEqual((yield* get(plan, url, tag)).status, 304)
    if (pro.status === 200) assert.notStrictEqual((yield* get(plan, url, pro.tag)).status, 304, `${url} ${pro.tag}`)
  })

  const follow = Effect.gen(function* () {
    if (followers.length >= CLIENTS) return
    const { id } = yield* oneOf(matches)
    const shape = yield* oneOf(shapes)
    const pace = yield* oneOf(paces)
    const everything = yield* Random.nextBoolean
    const bySse = yield* Random.nextBoolean
    // A Pro customer's cursor at any existing frame, or a made-up cursor.
    const position = yield* Random.nextIntBetween(0, (yield* Random.nextBoolean) ? logged.length : 20)
    const frame = logged[position - 1]
    const isTrue = yield* Random.nextBoolean
    const madeUp = { matchId: id, epoch: 1, seq: yield* Random.nextIntBetween(1, 30), position: yield* Random.nextIntBetween(1, 60) }
    const real = frame === undefined ? undefined : { matchId: frame.id, epoch: 1, seq: frame.seq, position }
    const cursor = isTrue ? real : madeUp
    const name = `${bySse ? "SSE" : "WebSocket"} ${shape}${pace} ${everything ? ALL : id} after ${JSON.stringify(cursor)}`
    const ear = new Ear({ conflated: pace.includes("maxRate") }, (text, eventId) => oracle.judge(name, text, eventId))
    const has = isTrue ? logged.slice(0, position) : []
    for (const [index, one] of has.entries()) {
      const document = documentAt(one.id, one.seq, shape)
      if (document !== undefined) ear.transcript.hold(one.id, { epoch: 1, seq: one.seq, position: index + 1, document })
    }
    const key = keyOf("free", String(++attempts))
    const room = everything ? ALL : matchRoom(id)
    if (bySse) {
      const from = cursor === undefined ? "" : `&lastEventId=${cursor.matchId}:1:${cursor.seq}:${cursor.position}`
      const url = `/cs2/live/stream?apiKey=${key}&shape=${shape}${pace}${from}${everything ? "" : `&matchId=${id}`}`
      if (!everything && oracle.newestAllowed(id) === 0) {
        assert.strictEqual((yield* get("free", url)).status, 404)
        return
      }
      yield* openStream("eventsource", edge.url + url, ear)
      yield* ear.until(isType("ready"))
      followers.push({ name, ear, socket: undefined, rooms: [room], shape, isTrue })
    } else {
      const socket = yield* openSocket("ws", `${edge.wsUrl}/cs2/live/ws?apiKey=${key}&shape=${shape}${pace}`, ear)
      assert.strictEqual((yield* ear.until(isType("ready"))).delay_seconds, 60)
      socket.send({ action: "subscribe", rooms: [room], ...(cursor === undefined ? {} : { resume: { [room]: cursor } }) })
      if (!everything && oracle.newestAllowed(id) === 0) {
        assert.strictEqual((yield* ear.until(isType("error"))).code, "MATCH_NOT_FOUND")
        return
      }
      yield* ear.until(isType("subscribed"))
      followers.push({ name, ear, socket, rooms: [room], shape, isTrue })
    }
  })

  const resync = Effect.gen(function* () {
    const bySocket = followers.flatMap(({ ear, rooms, socket }) => (socket === undefined ? [] : [{ ear, rooms, socket }]))
    if (bySocket.length === 0) return
    const { ear, rooms, socket } = yield* oneOf(bySocket)
    yield* settle
    // A client that started ahead of its tier now continues from the tier's own position.
    ear.transcript.reset()
    socket.send({ action: "resync", rooms })
  })

  // Starts with facts that are visible and facts that must not be visible yet.
  for (let n = 0; n < 8; n++) yield* playSome
  yield* TestClock.adjust(DELAY_MS)
  begun = matches.length
  for (let n = 0; n < 4; n++) yield* playSome
  for (let step = 0; step < STEPS; step++) {
    yield* yield* oneOf([playSome, playSome, advanceClock, advanceClock, read, read, read, follow, follow, resync])
    assert.deepStrictEqual(oracle.leaks, [])
  }

  // After the delay, every client must have received everything.
  while (clock.currentTimeMillisUnsafe() < lastPlayed + DELAY_MS + 15_000) {
    yield* settle
    yield* TestClock.adjust(5_000)
  }
  yield* settle
  for (const { ear, isTrue, name, rooms, shape } of followers) {
    if (!isTrue) continue
    assert.deepStrictEqual(ear.transcript.problems, [], name)
    for (const { id } of matches) {
      const end = played.get(id) ?? 0
      if (end === 0 || !(rooms.includes(ALL) || rooms.includes(matchRoom(id)))) continue
      yield* ear.reaches(id, end)
      assert.deepStrictEqual(ear.transcript.track(id)?.document, documentAt(id, end, shape), name)
    }
  }
  assert.deepStrictEqual(oracle.leaks, [])
  assert.isAbove(oracle.judged, 50)
})

const documentAt = (id: string, seq: number, shape: Shape) => {
  const record = matches.find((match) => match.id === id)?.records[seq - 1]
  return record === undefined ? undefined : documentOf(record, shape)
}

const statusAt = (id: string, seq: number) => documentAt(id, seq, "v1")?.status

const shortRing = { frames: 3, bytes: 1_000_000, ageMs: 3_600_000 }
const shortRings = { match: shortRing, all: shortRing, totalBytes: 10_000_000 }

/**
 * Alternates between two kinds of settings: frames sent at once or batched; rings that hold everything or so few frames
 * that clients are served from the log.
 */
const edgeLayer = (seed: number, reads: GatewaySettings["reads"]) =>
  EdgeUnderTest.layer({ load: seed % 2, settings: { reads, ...(seed % 4 < 2 ? {} : { roomBounds: shortRings }) } }).pipe(
    Layer.provideMerge(EventLogMemory.layer({ streams })),
  )

it.effect("sends Free the same frames as Pro a minute later, also to a client that resumes with a Pro cursor", () =>
  Effect.gen(function* () {
    const edge = yield* EdgeUnderTest
    const { id, records } = first
    const room = matchRoom(id)
    const connect = Effect.fnUntraced(function* (plan: "free" | "pro", name: string) {
      const ear = new Ear()
      return yield* openSocket("ws", `${edge.wsUrl}/cs2/live/ws?apiKey=${keyOf(plan, name)}`, ear)
    })
    yield* play(records.slice(0, 10))
    yield* TestClock.adjust("60 seconds")
    const pro = yield* connect("pro", "")
    const free = yield* connect("free", "")
    for (const client of [pro, free]) client.send({ action: "subscribe", rooms: [room] })
    const source = yield* openStream("eventsource", `${edge.url}/cs2/live/stream?apiKey=${keyOf("free")}&matchId=${id}`)
    for (const ear of [pro.ear, free.ear, source.ear]) yield* ear.until(isType("caught_up"))
    yield* play(records.slice(10, 20))
    yield* pro.ear.reaches(id, 20)
    // Resumes with the cursor of a Pro customer, which is ahead of this tier.
    const ahead = yield* connect("free", "ahead")
    ahead.send({ action: "subscribe", rooms: [room], resume: { [room]: pro.ear.transcript.cursor(id) } })
    assert.strictEqual((yield* ahead.ear.until(isType("resumed"))).verdict, "recovered")
    yield* play(records.slice(20, 25))
    yield* pro.ear.reaches(id, 25)
    const newestOf = (ear: Ear) => ear.transcript.track(id)?.seq
    for (let second = 15; second < 60; second += 15) {
      yield* TestClock.adjust("15 seconds")
      for (const client of [free, ahead]) {
        const before = client.ear.messages.length
        client.send({ action: "ping" })
        yield* client.ear.until(isType("pong"), before)
      }
      assert.deepStrictEqual([newestOf(free.ear), newestOf(source.ear)], [10, 10], `after ${second} s`)
      if (second === 45) {
        const beats = free.ear.messages.filter(isType("heartbeat"))
        assert.deepStrictEqual(
          beats.map(({ matches: [match] }) => [match?.seq, match?.age_ms]),
          [75_000, 90_000, 105_000].map((age) => [10, age]),
        )
      }
    }
    yield* TestClock.adjust("15 seconds")
    for (const ear of [free.ear, source.ear, ahead.ear]) {
      yield* ear.reaches(id, 25)
      assert.deepStrictEqual(ear.transcript.problems, [])
    }
  }).pipe(Effect.provide(edgeLayer(0, "all"))),
)

describe("no response on a delayed plan contains a fact younger than a minute", () => {
  /** Every kind of settings at least once, and seeds that have failed before. */
  const seeds = [...Array.from({ length: inRun(4, 12) }, (_, index) => index + 1), 132]
  for (const seed of seeds) {
    const reads = seed % 3 === 0 ? "followed" : "all"
    it.effect(
      `seed ${seed}, gateway reads ${reads}`,
      () => Effect.scoped(randomSequence).pipe(Random.withSeed(`delay-${seed}`), Effect.provide(edgeLayer(seed, reads))),
      20_000,
    )
  }
})
