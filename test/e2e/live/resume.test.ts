/**
 * Tests resuming from a cursor with independent clients: from the ring, from the log, past lost frames, and from
 * invalid cursors. Gateways that read everything, and those that read what their clients follow, answer the same.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { LIVE, streams } from "@matchpoint/contracts/bus/subjects"
import { formatCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { defaultRoomBounds } from "@matchpoint/realtime/LiveRooms"
import { Effect, Layer } from "effect"
import { Ear, isType, openSocket, openStream, type SocketKind, type StreamKind } from "../../fixtures/clients/liveClients.ts"
import { documentOf, liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"

const one = matchId(7_001)
const two = matchId(7_002)
const ofOne = liveRecords(71, one, 400)
const ofTwo = liveRecords(72, two, 400)
/** Frames of both matches in turn. Positions of `one` are odd. */
const mixed = (from: number, to: number) => ofOne.slice(from, to).flatMap((record, index) => [record, ofTwo[from + index] ?? record])
const frameCount = 300
const Mixed = Layer.effectDiscard(play(mixed(0, frameCount)))

const tiny = { frames: 20, bytes: 10_000_000, ageMs: 600_000 }
const smallRings = { ...defaultRoomBounds, match: tiny, all: tiny }
/** A log that holds the last 200 or so of 600 records. */
const smallLog = streams.map((spec) => (spec.name === LIVE ? { ...spec, maxBytes: 150_000 } : spec))

const edgeOn = (reads: GatewaySettings["reads"], log: typeof streams | typeof smallLog, settings = {}) =>
  EdgeUnderTest.layer({ settings: { ...settings, reads } }).pipe(
    Layer.provide(Mixed),
    Layer.provideMerge(EventLogMemory.layer({ streams: log })),
  )

const socketUrl = (query: string) => Effect.map(EdgeUnderTest, ({ wsUrl }) => `${wsUrl}/cs2/live/ws?apiKey=${keyOf("pro")}${query}`)
const streamUrl = (query: string) => Effect.map(EdgeUnderTest, ({ url }) => `${url}/cs2/live/stream?apiKey=${keyOf("pro")}${query}`)

/** Position of frame `seq` of a match in the log, as `mixed` writes it. */
const positionOf = (id: string, seq: number) => (id === one ? seq * 2 - 1 : seq * 2)
const cursorAt = (id: typeof one, seq: number) => ({ matchId: id, epoch: 1, seq, position: positionOf(id, seq) })

/** A client that has followed both matches up to these frames. */
const held = (shape: Shape, seqs: { readonly one: number; readonly two: number }): Ear => {
  const ear = new Ear()
  for (const [id, records, seq] of [
    [one, ofOne, seqs.one],
    [two, ofTwo, seqs.two],
  ] as const) {
    const record = records[seq - 1]
    if (record !== undefined) {
      ear.transcript.hold(id, { epoch: 1, seq, position: positionOf(id, seq), document: documentOf(record, shape) })
    }
  }
  return ear
}

const upTo = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index + 1)

const resumed = Effect.fnUntraced(function* (kind: SocketKind, room: string, cursor: object, shape: Shape, ear: Ear = new Ear()) {
  const client = yield* openSocket(kind, yield* socketUrl(`&shape=${shape}`), ear)
  client.send({ action: "subscribe", rooms: [room], resume: { [room]: cursor } })
  const answer = yield* ear.until(isType("resumed"))
  return { client, ear, answer }
})

const kinds: ReadonlyArray<readonly [SocketKind, Shape]> = [
  ["ws", "v1"],
  ["undici", "v2"],
]
const streamKinds: ReadonlyArray<readonly [StreamKind, Shape]> = [
  ["eventsource", "v1"],
  ["undici", "v2"],
]

for (const reads of ["all", "followed"] as const) {
  describe(`resume from the ring, gateway reads ${reads}`, () => {
    it.layer(edgeOn(reads, streams), { timeout: "30 seconds", excludeTestServices: true })((it) => {
      for (const [kind, shape] of kinds) {
        it.effect(`${kind}, ${shape}: one match: sends every frame after the cursor once`, () =>
          Effect.gen(function* () {
            const { answer, ear } = yield* resumed(kind, matchRoom(one), cursorAt(one, 250), shape, held(shape, { one: 250, two: 0 }))
            assert.deepStrictEqual([answer.verdict, answer.missing], ["recovered", []])
            yield* ear.until(isType("caught_up"))
            assert.deepStrictEqual(ear.transcript.seqs.get(one), upTo(250, frameCount))
            assert.strictEqual(ear.transcript.snapshots, 0)
            assert.isUndefined(ear.transcript.seqs.get(two))
            assert.deepStrictEqual(ear.transcript.problems, [])
            if (shape === "v2") assert.isAtLeast(ear.transcript.hashesChecked, 1)
          }),
        )

        it.effect(`${kind}, ${shape}: all: resumes from a cursor of either match, and resets without a position`, () =>
          Effect.gen(function* () {
            const { answer, ear } = yield* resumed(kind, ALL, cursorAt(one, 251), shape, held(shape, { one: 251, two: 250 }))
            assert.strictEqual(answer.verdict, "recovered")
            yield* ear.until(isType("caught_up"))
            assert.deepStrictEqual(ear.transcript.seqs.get(one), upTo(251, frameCount))
            assert.deepStrictEqual(ear.transcript.seqs.get(two), upTo(250, frameCount))
            assert.deepStrictEqual(ear.transcript.problems, [])
            const blind = yield* resumed(kind, ALL, { matchId: one, epoch: 1, seq: 251 }, shape)
            assert.strictEqual(blind.answer.verdict, "reset")
            yield* blind.ear.until(isType("caught_up"))
            assert.strictEqual(blind.ear.transcript.snapshots, 2)
          }),
        )

        const lost: ReadonlyArray<readonly [string, string, object]> = [
          ["another epoch", matchRoom(one), { epoch: 7, seq: 3 }],
          ["a seq that does not exist", matchRoom(one), { epoch: 1, seq: 9_999_999 }],
          ["another match's cursor", matchRoom(one), cursorAt(two, 260)],
          ["another match's position in all", ALL, { ...cursorAt(two, 260), position: positionOf(one, 260) }],
          ["a position far ahead", ALL, { ...cursorAt(one, 260), position: 9_999_999 }],
        ]
        for (const [what, room, cursor] of lost) {
          it.effect(`${kind}, ${shape}: ${what} leads to a reset with snapshots`, () =>
            Effect.gen(function* () {
              const { answer, ear } = yield* resumed(kind, room, cursor, shape)
              assert.strictEqual(answer.verdict, "reset")
              yield* ear.until(isType("caught_up"))
              assert.strictEqual(ear.transcript.snapshots, room === ALL ? 2 : 1)
              assert.deepStrictEqual([ear.transcript.track(one)?.seq, ear.transcript.seqs.size], [frameCount, 0])
            }),
          )
        }
      }

      for (const [kind, shape] of streamKinds) {
        it.effect(`${kind}, ${shape}: resumes after lastEventId in the query`, () =>
          Effect.gen(function* () {
            const cursor = formatCursor(cursorAt(one, 280))
            const single = yield* openStream(kind, yield* streamUrl(`&matchId=${one}&shape=${shape}&lastEventId=${cursor}`))
            yield* single.ear.until(isType("caught_up"))
            assert.deepStrictEqual(single.ear.transcript.seqs.get(one), upTo(280, frameCount))
            const everything = yield* openStream(kind, yield* streamUrl(`&shape=${shape}&lastEventId=${cursor}`))
            yield* everything.ear.until(isType("caught_up"))
            assert.deepStrictEqual(everything.ear.transcript.seqs.get(two), upTo(279, frameCount))
            for (const { ear } of [single, everything]) assert.deepStrictEqual(ear.transcript.verdicts, ["recovered"])
          }),
        )

        it.effect(`${kind}, ${shape}: an invalid cursor or one of another match leads to a reset`, () =>
          Effect.gen(function* () {
            for (const cursor of ["nonsense", formatCursor(cursorAt(two, 280)), `${one}:1:-3:5`]) {
              const { ear } = yield* openStream(kind, yield* streamUrl(`&matchId=${one}&shape=${shape}&lastEventId=${cursor}`))
              yield* ear.until(isType("caught_up"))
              assert.deepStrictEqual(ear.transcript.verdicts, ["reset"])
              assert.strictEqual(ear.transcript.track(one)?.seq, frameCount)
            }
          }),
        )
      }
    })
  })

  describe(`resume past the ring, gateway reads ${reads}`, () => {
    it.layer(edgeOn(reads, streams, { roomBounds: smallRings }), { timeout: "30 seconds", excludeTestServices: true })((it) => {
      for (const [kind, shape] of kinds) {
        it.effect(`${kind}, ${shape}: one match: resumes from the log at its beginning, with and without a position`, () =>
          Effect.gen(function* () {
            for (const cursor of [{ epoch: 1, seq: 1 }, cursorAt(one, 1), { epoch: 1, seq: 0 }]) {
              const { answer, ear } = yield* resumed(kind, matchRoom(one), cursor, shape, held(shape, { one: cursor.seq, two: 0 }))
              assert.deepStrictEqual([answer.verdict, answer.missing], ["recovered", []])
              yield* ear.until(isType("caught_up"))
              assert.deepStrictEqual(ear.transcript.seqs.get(one), upTo(cursor.seq, frameCount))
              assert.deepStrictEqual(ear.transcript.problems, [])
            }
          }),
        )

        it.effect(`${kind}, ${shape}: all: resumes from the log`, () =>
          Effect.gen(function* () {
            const { answer, ear } = yield* resumed(kind, ALL, cursorAt(two, 10), shape, held(shape, { one: 10, two: 10 }))
            assert.strictEqual(answer.verdict, "recovered")
            yield* ear.until(isType("caught_up"))
            assert.deepStrictEqual(ear.transcript.problems, [])
            assert.deepStrictEqual(ear.transcript.seqs.get(one), upTo(10, frameCount))
            assert.deepStrictEqual(ear.transcript.seqs.get(two), upTo(10, frameCount))
            const wrong = yield* resumed(kind, ALL, { ...cursorAt(two, 10), seq: 11 }, shape)
            assert.strictEqual(wrong.answer.verdict, "reset")
          }),
        )
      }

      for (const [kind, shape] of streamKinds) {
        it.effect(`${kind}, ${shape}: all: resumes from the log after lastEventId`, () =>
          Effect.gen(function* () {
            const { ear } = yield* openStream(kind, yield* streamUrl(`&shape=${shape}&lastEventId=${formatCursor(cursorAt(two, 20))}`))
            yield* ear.until(isType("caught_up"))
            assert.deepStrictEqual(
              [ear.transcript.seqs.get(one), ear.transcript.seqs.get(two)],
              [upTo(20, frameCount), upTo(20, frameCount)],
            )
          }),
        )
      }
    })
  })

  describe(`resume past the log, gateway reads ${reads}`, () => {
    it.layer(edgeOn(reads, smallLog, { roomBounds: smallRings }), { timeout: "30 seconds", excludeTestServices: true })((it) => {
      for (const [kind, shape] of kinds) {
        it.effect(`${kind}, ${shape}: one match: resumes partially, with the exact missing range and a snapshot`, () =>
          Effect.gen(function* () {
            const { answer, ear } = yield* resumed(kind, matchRoom(one), cursorAt(one, 5), shape, held(shape, { one: 5, two: 0 }))
            assert.strictEqual(answer.verdict, "partial")
            yield* ear.until(isType("caught_up"))
            const frames = ear.messages.flatMap((message) => ("seq" in message ? [message] : []))
            const first = frames[0]
            assert.isAbove(first?.seq ?? 0, 6)
            assert.deepStrictEqual(answer.missing, [{ matchId: one, epoch: 1, from: 6, to: (first?.seq ?? 0) - 1 }])
            assert.strictEqual(first?.type, "cs2.live.snapshot")
            assert.deepStrictEqual(ear.transcript.seqs.get(one), upTo(first?.seq ?? 0, frameCount))
            assert.deepStrictEqual(ear.transcript.problems, [])
          }),
        )

        it.effect(`${kind}, ${shape}: all: resets`, () =>
          Effect.gen(function* () {
            const { answer, ear } = yield* resumed(kind, ALL, cursorAt(one, 5), shape)
            assert.strictEqual(answer.verdict, "reset")
            yield* ear.until(isType("caught_up"))
            assert.strictEqual(ear.transcript.snapshots, 2)
          }),
        )
      }
    })
  })

  describe(`a client that is ahead of its edge, gateway reads ${reads}`, () => {
    it.layer(edgeOn(reads, streams), { timeout: "30 seconds", excludeTestServices: true })((it) => {
      let played = frameCount
      for (const [kind, shape] of kinds) {
        for (const room of [matchRoom(one), ALL]) {
          it.effect(`${kind}, ${shape}, ${room}: receives nothing it already has, then continues`, () =>
            Effect.gen(function* () {
              const ahead = played + 4
              const { answer, ear, client } = yield* resumed(
                kind,
                room,
                cursorAt(one, ahead),
                shape,
                held(shape, { one: ahead, two: ahead - 1 }),
              )
              assert.strictEqual(answer.verdict, "recovered")
              const next = played + 10
              yield* play(mixed(played, next))
              played = next
              yield* ear.reaches(one, played)
              if (room === ALL) yield* ear.reaches(two, played)
              client.send({ action: "ping" })
              yield* ear.until(isType("pong"))
              assert.deepStrictEqual(ear.transcript.seqs.get(one), upTo(ahead, played))
              // In the log, `two` comes after `one`. The client has the frames of `two` before the cursor's position.
              if (room === ALL) assert.deepStrictEqual(ear.transcript.seqs.get(two), upTo(ahead - 1, played))
              assert.deepStrictEqual([ear.transcript.snapshots, ear.transcript.problems], [0, []])
            }),
          )
        }
      }
    })
  })
}
