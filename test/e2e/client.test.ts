/**
 * Tests the client library against the real gateway over real sockets: restarts, resuming from stored state,
 * conflation.
 */
import { assert, describe, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { createClient } from "@matchpoint/client"
import { type LiveChange, type LiveNotice, type LiveOptions, Matchpoint } from "@matchpoint/client/effect"
import { streams } from "@matchpoint/contracts/bus/subjects"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { CompactMatch } from "@matchpoint/cs2/contract/CompactMatch"
import { LiveMatch } from "@matchpoint/cs2/contract/LiveMatch"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Layer, Redacted, Schedule, Schema, Stream } from "effect"
import { documentOf, liveRecords } from "../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../fixtures/edge.ts"

const one = matchId(7_301)
const two = matchId(7_302)
const records = { [one]: liveRecords(81, one, 400), [two]: liveRecords(82, two, 400) }
const recordsOf = (id: MatchId) => records[id] ?? []

const playBoth = (from: number, to: number) =>
  play(
    recordsOf(one)
      .slice(from, to)
      .flatMap((record, index) => [record, ...recordsOf(two).slice(from + index, from + index + 1)]),
  )

const client = Effect.gen(function* () {
  const edge = yield* EdgeUnderTest
  return yield* Matchpoint.pipe(Effect.provide(Matchpoint.layer({ baseUrl: edge.url, apiKey: Redacted.make(keyOf("pro")) })))
})

interface Received {
  readonly changes: Array<LiveChange<Shape>>
  readonly notices: Array<LiveNotice>
}

const listen = Effect.fnUntraced(function* (id: MatchId | undefined, options: LiveOptions<Shape>) {
  const { live } = yield* client
  const received: Received = { changes: [], notices: [] }
  const all = { ...options, onNotice: (notice: LiveNotice) => received.notices.push(notice) }
  yield* (id === undefined ? live.all<Shape>(all) : live.match<Shape>(id, all)).pipe(
    Stream.runForEach((change) => Effect.sync(() => received.changes.push(change))),
    Effect.forkScoped,
  )
  yield* until(() => received.notices.some(({ type }) => type === "live"))
  return received
})

const until = (holds: () => boolean) =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("5 millis")),
    Effect.timeout("15 seconds"),
    Effect.orDie,
  )

const seqsOf = ({ changes }: Received, id: MatchId) => changes.flatMap((change) => (change.matchId === id ? [change.seq] : []))
const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

const isDocument = { v1: Schema.is(LiveMatch), v2: Schema.is(CompactMatch) }
const isV1 = Schema.is(LiveMatch)

const ways: ReadonlyArray<LiveOptions<Shape>> = (["v1", "v2"] as const).flatMap((shape) =>
  (["websocket", "sse"] as const).map((transport) => ({ shape, transport })),
)

const Edge = EdgeUnderTest.layer().pipe(Layer.provideMerge(EventLogMemory.layer({ streams })))

describe("the client library", () => {
  it.live(
    "receives every change once and the right documents across two restarts, on each transport and shape",
    () =>
      Effect.gen(function* () {
        const edge = yield* EdgeUnderTest
        yield* playBoth(0, 10)
        const followers = yield* Effect.forEach(
          ways.flatMap((way) => [
            { way, id: one },
            { way, id: undefined },
          ]),
          ({ id, way }) => Effect.map(listen(id, way), (received) => ({ way, ids: id === undefined ? [one, two] : [id], received })),
          { concurrency: "unbounded" },
        )
        let played = 10
        for (let restart = 0; restart < 2; restart++) {
          yield* playBoth(played, played + 20)
          yield* edge.stop
          yield* playBoth(played + 20, played + 40)
          yield* edge.start
          yield* playBoth(played + 40, played + 60)
          played += 60
          yield* until(() => followers.every(({ received, ids }) => ids.every((id) => seqsOf(received, id).includes(played))))
        }
        for (const { received, ids, way } of followers) {
          for (const id of ids) {
            assert.deepStrictEqual(seqsOf(received, id), upTo(10, played))
            const last = received.changes.findLast((change) => change.matchId === id)
            const truth = recordsOf(id)[played - 1]
            assert.isDefined(truth)
            if (truth !== undefined) assert.deepStrictEqual(last?.match, documentOf(truth, way.shape ?? "v2"))
          }
          assert.isTrue(received.changes.every(({ missing }) => missing.length === 0))
          assert.isTrue(received.changes.every(({ match }) => isDocument[way.shape ?? "v2"](match)))
          const verdicts = received.notices.flatMap((notice) => (notice.type === "resumed" ? [notice.verdict] : []))
          assert.deepStrictEqual([...new Set(verdicts)], ["recovered"])
          assert.isFalse(received.notices.some(({ type }) => type === "healing" || type === "gap"))
        }
      }).pipe(Effect.scoped, Effect.provide(Edge)),
    40_000,
  )

  it.live(
    "resumes after a stored change without gaps, from JSON alone",
    () =>
      Effect.gen(function* () {
        yield* playBoth(0, 10)
        const { live } = yield* client
        for (const transport of ["websocket", "sse"] as const) {
          const [kept] = yield* live.match(one, { transport }).pipe(Stream.take(1), Stream.runCollect)
          const change: typeof kept = JSON.parse(JSON.stringify(kept))
          assert.isDefined(change?.cursor)
          if (change?.cursor === undefined) return
          const { cursor, seq } = change
          yield* playBoth(seq, seq + 10)
          const after = yield* live
            .match(one, { transport, resume: { cursor, matches: [change] } })
            .pipe(Stream.take(10), Stream.runCollect)
          assert.deepStrictEqual(
            after.map((next) => next.seq),
            upTo(seq + 1, seq + 10),
          )
          assert.strictEqual(after[0]?.resumed, "recovered")
          // Without the stored document, the missed events come together with the first document received.
          const [bare] = yield* live.match(one, { transport, resume: { cursor } }).pipe(Stream.take(1), Stream.runCollect)
          assert.deepStrictEqual([bare?.base, bare?.seq, bare?.missing], [seq, seq + 10, []])
          assert.deepStrictEqual(
            bare?.events,
            after.flatMap(({ events }) => events),
          )
        }
      }).pipe(Effect.provide(Edge)),
    20_000,
  )

  it.live(
    "delivers fewer changes with the same events if maxRateMs is set",
    () =>
      Effect.gen(function* () {
        yield* playBoth(0, 10)
        for (const transport of ["websocket", "sse"] as const) {
          const from = transport === "websocket" ? 10 : 110
          const received = yield* listen(one, { transport, maxRateMs: 100 })
          yield* playBoth(from, from + 100)
          yield* until(() => seqsOf(received, one).includes(from + 100))
          assert.isBelow(received.changes.length, 50)
          const every = recordsOf(one).slice(from, from + 100)
          const eventIds = received.changes.flatMap(({ events }) => events.map(({ eventId }) => eventId))
          const expected = every.flatMap(
            (record) => new TextDecoder().decode(record.data).split('"event":{"eventId":"')[1]?.split('"')[0] ?? [],
          )
          assert.deepStrictEqual(eventIds, expected)
          assert.isTrue(received.changes.every(({ missing }) => missing.length === 0))
        }
      }).pipe(Effect.scoped, Effect.provide(Edge)),
    20_000,
  )

  it.live(
    "works without Effect: lists matches and iterates over the changes of a match",
    () =>
      Effect.gen(function* () {
        const edge = yield* EdgeUnderTest
        yield* playBoth(0, 10)
        yield* Effect.promise(async () => {
          const { get, live } = createClient({ baseUrl: edge.url, apiKey: keyOf("pro") })
          const { data } = await get("/cs2/live")
          assert.deepStrictEqual(
            data.map((match) => match.matchId),
            [one, two],
          )
          for await (const change of live.match(one, { shape: "v1" })) {
            assert.isTrue(isV1(change.match))
            break
          }
          const refused = await live
            .match(matchId(7_999))
            [Symbol.asyncIterator]()
            .next()
            .catch((error: unknown) => error)
          assert.deepInclude(refused, { _tag: "LiveError", reason: "MatchNotFound" })
          const unauthorized = createClient({ baseUrl: edge.url, apiKey: "mp_nobody" })
          const unknown = await unauthorized.live
            .all()
            [Symbol.asyncIterator]()
            .next()
            .catch((error: unknown) => error)
          assert.deepInclude(unknown, { _tag: "LiveError", reason: "Unauthorized" })
        })
      }).pipe(Effect.provide(Edge)),
    20_000,
  )
})
