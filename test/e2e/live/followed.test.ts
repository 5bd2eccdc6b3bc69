/** A gateway that reads only what its clients follow: lists, reads of one match, and messages that wait for a match. */
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import type { ServerMessage } from "@matchpoint/cs2/contract/serverMessages"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect, Layer } from "effect"
import { Ear, isType, openSocket } from "../../fixtures/clients/liveClients.ts"
import { documentOf, liveRecords } from "../../fixtures/clients/liveRecords.ts"
import { EdgeUnderTest, keyOf, play } from "../../fixtures/edge.ts"

const one = matchId(7_901)
const two = matchId(7_902)
const unknown = matchId(7_903)
const ofOne = liveRecords(63, one, 200)
const ofTwo = liveRecords(64, two, 100)
const LISTED = 150

/** Writes records to LIVE without list entries. */
const playUnlisted = Effect.fnUntraced(function* (records: typeof ofOne) {
  const log = yield* EventLog
  yield* Effect.forEach(records, ({ data, id, subject }) => log.append(subject, id, data), { discard: true })
})

const Played = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* play(ofOne.slice(0, LISTED))
    yield* play(ofTwo)
    yield* playUnlisted(ofOne.slice(LISTED, LISTED + 20))
  }),
)

const Edge = EdgeUnderTest.layer({ settings: { reads: "followed" } }).pipe(
  Layer.provide(Played),
  Layer.provideMerge(EventLogMemory.layer({ streams })),
)

it.live("lists matches from their entries, and answers about one match from its newest frame", () =>
  Effect.gen(function* () {
    const edge = yield* EdgeUnderTest
    const get = (path: string) =>
      Effect.promise(async () => {
        const response = await fetch(edge.url + path, { headers: { "x-api-key": keyOf("pro") } })
        return { status: response.status, body: await response.json() }
      })
    const listedSeqs = Effect.map(get("/cs2/live?shape=v2"), ({ body }) => [body.data[one].seq, body.data[two].seq])
    assert.deepStrictEqual(yield* listedSeqs, [LISTED, 100])
    const { body } = yield* get(`/cs2/live/${one}/state?shape=v2`)
    assert.deepStrictEqual(body.data, documentOf(ofOne[LISTED + 19] ?? assert.fail(), "v2"))
    assert.deepStrictEqual(yield* listedSeqs, [LISTED + 20, 100])
    assert.strictEqual((yield* get(`/cs2/live/${unknown}/state`)).status, 404)
    // The partition of the match is now read, the others are not.
    yield* playUnlisted(ofOne.slice(LISTED + 20))
    const { body: newest } = yield* get(`/cs2/live/${one}/state?shape=v2`)
    assert.deepInclude(newest.meta, { seq: 200 })
  }).pipe(Effect.provide(Edge)),
)

it.live("answers the messages of a client in their order while a match is read for it", () =>
  Effect.gen(function* () {
    const { wsUrl } = yield* EdgeUnderTest
    const ear = new Ear()
    const socket = yield* openSocket("ws", `${wsUrl}/cs2/live/ws?apiKey=${keyOf("pro")}&shape=v2`, ear)
    const room = matchRoom(one)
    socket.send({ action: "subscribe", rooms: [room] })
    socket.send({ action: "subscribe", rooms: [matchRoom(unknown)] })
    socket.send({ action: "unsubscribe", rooms: [room] })
    socket.send({ action: "ping" })
    socket.send({ action: "subscribe", rooms: [ALL] })
    const isEnd = (message: ServerMessage): message is Extract<ServerMessage, { readonly type: "caught_up" }> =>
      message.type === "caught_up" && message.rooms.includes(ALL)
    yield* ear.until(isEnd)
    const types = ear.messages.map(({ type }) => type)
    const before = types.slice(0, types.lastIndexOf("subscribed"))
    assert.deepStrictEqual(before, ["ready", "subscribed", "cs2.live.snapshot", "caught_up", "error", "unsubscribed", "pong"])
    assert.strictEqual(ear.messages.find(isType("cs2.live.snapshot"))?.seq, LISTED + 20)
    assert.deepStrictEqual([ear.transcript.problems, ear.transcript.track(two)?.seq], [[], 100])
  }).pipe(Effect.provide(Edge)),
)
