/**
 * Tests a game that no generic code knows with other services: facts sent and followed over RPC, matches listed over
 * REST and followed by the client library.
 */
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Matchpoint } from "@matchpoint/client/effect"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import type { AnyLiveMatch } from "@matchpoint/contracts/http/live/AllLiveApi"
import { LiveRpcs } from "@matchpoint/contracts/rpc/LiveRpcs"
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { matchId as cs2Match } from "@matchpoint/cs2/rules/ids"
import { gameName } from "@matchpoint/domain/ids"
import { RpcConfig } from "@matchpoint/service-gateway/rpc/RpcConfig"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Clock, Effect, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { RpcClient } from "effect/rpc"
import { pingPongLive, pingPongLiveGame, pingPongMatch } from "../../fixtures/clients/pingPong.ts"
import { generousMetering } from "../../fixtures/metering/metering.ts"
import { FEED_TOKEN, rpcConnection, type Transport } from "../../fixtures/rpcStack.ts"
import { simulatedEvents } from "../../fixtures/simulated.ts"
import { announce, feed, KEY, Stack, stack } from "../../fixtures/stack.ts"

const PING_PONG = gameName("pingpong")

const TakesFacts = Layer.effect(
  RpcConfig,
  Effect.map(RpcConfig, (defaults) => ({
    ...defaults,
    isFeedToken: (token: Redacted.Redacted<string>) => Effect.succeed(Redacted.value(token) === FEED_TOKEN),
  })),
)
const games = { run: [cs2LiveGame, pingPongLiveGame], served: [cs2Live, pingPongLive] }
const Server = stack(EventLogMemory.layer({ streams }), embeddedMemory, generousMetering, games).pipe(Layer.provide(TakesFacts))

const rpc = Effect.fnUntraced(function* (transport: Transport) {
  const { url } = yield* Stack
  const context = yield* rpcConnection(new URL(url).host, transport, { "x-api-key": KEY, [FEED_TOKEN_HEADER]: FEED_TOKEN })
  return yield* Effect.provideContext(RpcClient.make(LiveRpcs), context)
})

const matchOf = Effect.fnUntraced(function* (number: number) {
  const events = pingPongMatch(number, Math.floor((yield* Clock.currentTimeMillis) - 60_000))
  return { events, id: events[0]?.matchId ?? assert.fail("no match") }
})

const get = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
  const { url } = yield* Stack
  const response = yield* Effect.promise(() =>
    fetch(url + path, { headers: { "x-api-key": KEY, "accept-encoding": "identity", ...headers } }),
  )
  const { status } = response
  const text = yield* Effect.promise(() => response.text())
  return { status, etag: response.headers.get("etag") ?? "", body: text === "" ? undefined : (JSON.parse(text) as Answer) }
})
interface Answer {
  readonly data: ReadonlyArray<AnyLiveMatch>
  readonly meta: object
  readonly error?: { readonly code: string; readonly message: string }
}

const eventually = <E, R>(check: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(check, { until: (holds) => holds, schedule: Schedule.spaced("10 millis") })

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

it.live.each(["websocket", "http"] as const)("is reported and followed by other services over %s", (transport) =>
  Effect.gen(function* () {
    const client = yield* rpc(transport)
    const { events, id } = yield* matchOf(7)
    const [began, ...points] = events
    if (began === undefined) return assert.fail("there is no first fact")
    const invalidFact = yield* Effect.flip(client.AppendEvent({ ...began, payload: { home: 1 } }))
    assert.strictEqual(invalidFact._tag, "FactRefused")
    assert.strictEqual((yield* Effect.flip(client.AppendEvent(points[0] ?? began)))._tag, "UnknownMatch")
    assert.isFalse((yield* client.AppendEvent(began)).duplicate)
    assert.isTrue((yield* client.AppendEvent(began)).duplicate)
    for (const point of points.slice(0, 9)) yield* client.AppendEvent(point)
    const state = Effect.option(client.GetState({ matchId: id }))
    yield* eventually(Effect.map(state, (found) => found._tag === "Some" && found.value.cursor.seq === 10))

    const cs2 = cs2Match(9_002)
    yield* announce(cs2)
    yield* feed(simulatedEvents(6, cs2).slice(0, 30))
    yield* eventually(Effect.map(client.ListLive({}), (list) => list.length === 2))
    const [listed, ...others] = yield* client.ListLive({ game: PING_PONG })
    assert.lengthOf(others, 0)
    assert.deepInclude(listed?.match, { matchId: id, status: "live", home: { name: "Ito", points: 5 }, endedAt: null })

    const whole = yield* Effect.forkChild(Stream.runCollect(client.Follow({ matchId: id, from: { epoch: 1, seq: 3 } })))
    const changes = yield* Effect.forkChild(Stream.runCollect(client.FollowDeltas({ matchId: id })))
    for (const point of points.slice(9)) yield* client.AppendEvent(point)
    const frames = yield* Fiber.join(whole)
    assert.deepStrictEqual(
      frames.map(({ seq }) => seq),
      range(4, 21),
    )
    assert.deepInclude(frames.at(-1), { type: "pingpong.live.update", event: { eventId: "1-21", type: "Point", to: "home" } })
    assert.deepInclude(frames.at(-1)?.data, { status: "completed", away: { name: "Boll", points: 9 } })
    let document: JsonObject = {}
    for (const change of yield* Fiber.join(changes)) {
      document = "patch" in change ? applyPatch(document, change.patch as JsonObject) : (change.data as JsonObject)
    }
    assert.deepInclude(document, { status: "completed", home: { name: "Ito", points: 11 } })
  }).pipe(Effect.scoped, Effect.provide(Server)),
)

it.live("is listed over REST, with other games and alone", () =>
  Effect.gen(function* () {
    const client = yield* rpc("http")
    const { events, id } = yield* matchOf(8)
    for (const event of events.slice(0, 4)) yield* client.AppendEvent(event)
    const cs2 = cs2Match(9_003)
    yield* announce(cs2)
    yield* feed(simulatedEvents(6, cs2).slice(0, 30))
    yield* eventually(Effect.map(get("/live"), ({ body }) => body?.data.length === 2))
    const all = yield* get("/live")
    assert.deepStrictEqual(
      all.body?.data.map(({ game, matchId }) => [game, matchId]),
      [
        ["cs2", cs2],
        ["pingpong", id],
      ],
    )
    yield* eventually(Effect.map(get("/live?game=pingpong"), ({ body }) => body?.data[0]?.cursor.seq === 4))
    const alone = yield* get("/live?game=pingpong")
    assert.deepInclude(alone.body?.meta, { count: 1, total: 1 })
    assert.deepInclude(alone.body?.data[0], { game: PING_PONG, matchId: id, status: "live", source: "live" })
    assert.deepInclude(alone.body?.data[0]?.match, { home: { name: "Ito", points: 2 }, away: { name: "Boll", points: 1 }, endedAt: null })
    assert.strictEqual((yield* get("/live?game=pingpong", { "if-none-match": alone.etag })).status, 304)
    const unknown = yield* get("/live?game=chess")
    assert.deepInclude(unknown.body?.error, { code: "VALIDATION_ERROR", message: "unknown game chess; this server has: cs2, pingpong" })
    assert.strictEqual(unknown.status, 400)
  }).pipe(Effect.scoped, Effect.provide(Server)),
)

it.live("is followed by the client library, alone and with every game", () =>
  Effect.gen(function* () {
    const { url } = yield* Stack
    const { events, id } = yield* matchOf(9)
    const reporter = yield* rpc("websocket")
    for (const event of events.slice(0, 6)) yield* reporter.AppendEvent(event)
    const state = Effect.option(reporter.GetState({ matchId: id }))
    yield* eventually(Effect.map(state, (found) => found._tag === "Some" && found.value.cursor.seq === 6))
    const cs2 = cs2Match(9_004)
    yield* announce(cs2)
    yield* feed(simulatedEvents(6, cs2).slice(0, 30))

    const follower = Effect.gen(function* () {
      const { everyGame, game, live, rest } = yield* Matchpoint
      const table = game("pingpong")
      const compact = yield* Effect.forkChild(Stream.runCollect(table.match(id)))
      const sse = yield* Effect.forkChild(Stream.runCollect(table.match(id, { shape: "v1", transport: "sse" })))
      const seen = new Set<string>()
      const over = ({ match, matchId }: { readonly match: JsonObject; readonly matchId: string }) =>
        matchId === id && match["endedAt"] != null
      const everything = yield* Effect.forkChild(
        Stream.runForEach(Stream.takeUntil(everyGame.all(), over), ({ matchId }) => Effect.sync(() => seen.add(matchId))),
      )
      yield* eventually(Effect.sync(() => seen.size === 2))
      for (const event of events.slice(6)) yield* reporter.AppendEvent(event)
      const changes = yield* Fiber.join(compact)
      assert.strictEqual(changes.at(-1)?.seq, 21)
      assert.deepInclude(changes.at(-1)?.match, { status: "completed", home: { name: "Ito", points: 11 } })
      assert.deepStrictEqual(
        changes.flatMap(({ events: rows }) => rows.map(({ eventId }) => eventId)).slice(-15),
        range(7, 21).map((seq) => `1-${seq}`),
      )
      assert.deepInclude((yield* Fiber.join(sse)).at(-1)?.match, { status: "completed", away: { name: "Boll", points: 9 } })
      yield* Fiber.join(everything)
      assert.deepStrictEqual(seen, new Set([id, cs2]))
      const wrong = yield* Effect.flip(Stream.runDrain(live.match(id)))
      assert.deepInclude(wrong, { reason: "MatchNotFound", message: `${id} is not a match id: match ids are cs2-match-<n>` })
      const { data } = yield* rest.live.list({ query: { game: gameName("cs2") } })
      assert.deepStrictEqual(
        data.map(({ matchId }) => matchId),
        [cs2],
      )
    })
    yield* follower.pipe(Effect.provide(Matchpoint.layer({ baseUrl: new URL(url).origin, apiKey: Redacted.make(KEY) })))
  }).pipe(Effect.scoped, Effect.provide(Server)),
)
