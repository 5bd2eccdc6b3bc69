/**
 * Tests a match without changes for hours. A gateway that starts meanwhile lists and serves the match, and its
 * followers receive the next change.
 */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { LIVE, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { matchRoom } from "@matchpoint/contracts/stream/rooms"
import { MatchEncoder } from "@matchpoint/cs2/live/encode/MatchEncoder"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { KeyframeRepeater } from "@matchpoint/service-match/actor/KeyframeRepeater"
import { Effect, Layer } from "effect"
import { Ear, isType, openSocket } from "../../fixtures/clients/liveClients.ts"
import { documentOf, liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"

const quiet = matchId(7_601)
const busy = matchId(7_602)
const ofQuiet = liveRecords(61, quiet, 120)
const ofBusy = liveRecords(62, busy, 600)
const BREAK_AT = 90
const smallLog = streams.map((spec) => (spec.name === LIVE ? { ...spec, maxBytes: 150_000 } : spec))

/** The log during the break: the other match has filled it several times over. */
const Break = Layer.effectDiscard(
  Effect.gen(function* () {
    const log = yield* EventLog
    const last = ofQuiet[BREAK_AT - 1] ?? assert.fail("the match is too short")
    yield* play(ofQuiet.slice(0, BREAK_AT))
    const readable = new KeyframeRepeater(log, quiet, new MatchEncoder(), 50)
    for (let at = 0; at < ofBusy.length; at += 50) {
      yield* play(ofBusy.slice(at, at + 50))
      yield* readable.check(last.state)
    }
    const { first } = yield* log.bounds(LIVE)
    assert.isAbove(first, BREAK_AT, "the log has dropped the match's own records")
  }),
)

it.layer(EdgeUnderTest.layer().pipe(Layer.provide(Break), Layer.provideMerge(EventLogMemory.layer({ streams: smallLog }))), {
  timeout: "30 seconds",
  excludeTestServices: true,
})("during a break", (it) => {
  it.effect("lists and serves the match on a newly started gateway, and sends its next change in both shapes", () =>
    Effect.gen(function* () {
      const edge = yield* EdgeUnderTest
      const last = ofQuiet[BREAK_AT - 1] ?? assert.fail("the match is too short")
      const get = (path: string) =>
        Effect.promise(async () => {
          const response = await fetch(edge.url + path, { headers: { "x-api-key": keyOf("pro") } })
          return { status: response.status, body: await response.json() }
        })
      const list = yield* get("/cs2/live?shape=v2")
      assert.hasAllKeys(list.body.data, [quiet, busy])
      const { body, status } = yield* get(`/cs2/live/${quiet}/state?shape=v2`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.data, documentOf(last, "v2"))
      assert.deepInclude(body.meta, { seq: BREAK_AT })

      const followers = yield* Effect.forEach(["v1", "v2"] as const, (shape) =>
        Effect.gen(function* () {
          const ear = new Ear()
          const socket = yield* openSocket("ws", `${edge.wsUrl}/cs2/live/ws?apiKey=${keyOf("pro")}&shape=${shape}`, ear)
          const resume = { [matchRoom(quiet)]: { epoch: 1, seq: BREAK_AT } }
          ear.transcript.hold(quiet, { epoch: 1, seq: BREAK_AT, position: BREAK_AT, document: documentOf(last, shape) })
          socket.send({ action: "subscribe", rooms: [matchRoom(quiet)], resume })
          assert.strictEqual((yield* ear.until(isType("resumed"))).verdict, "recovered")
          yield* ear.until(isType("caught_up"))
          return { ear, shape }
        }),
      )
      yield* play(ofQuiet.slice(BREAK_AT))
      for (const { ear, shape } of followers) {
        yield* ear.reaches(quiet, ofQuiet.length)
        assert.deepStrictEqual(ear.transcript.problems, [])
        assert.deepStrictEqual(ear.transcript.track(quiet)?.document, documentOf(ofQuiet.at(-1) ?? last, shape))
      }
      assert.isAbove((yield* (yield* EventLog).bounds(LIVE)).first, 1, liveSubject(quiet))
    }),
  )
})
