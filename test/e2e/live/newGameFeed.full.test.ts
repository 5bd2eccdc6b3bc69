/**
 * Tests facts of a game that no generic code knows, from the intake over HTTP to customers: registered, validated,
 * appended once, folded, followed.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Rejections } from "@matchpoint/bus/Rejections"
import { FEED, feedSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { FEED_ROOT, FEED_TOKEN_HEADER } from "@matchpoint/contracts/http/feed/FactsApi"
import { cs2Live } from "@matchpoint/cs2/contract/cs2Live"
import { cs2Feed } from "@matchpoint/cs2/feed/intake/cs2Feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { gameName, MatchId } from "@matchpoint/domain/ids"
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import { routing } from "@matchpoint/process/http/literalPaths"
import { intakeRoutes } from "@matchpoint/service-feed/intakeRoutes"
import { Matches } from "@matchpoint/store/live/Matches"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Clock, Effect, Layer, Option, Redacted, Schedule, Schema, Stream } from "effect"
import { HttpBody, HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { rawSocket } from "../../conformance/rawClients.ts"
import { pingPongFeed, pingPongLive, pingPongLiveGame } from "../../fixtures/clients/pingPong.ts"
import { generousMetering } from "../../fixtures/metering/metering.ts"
import { KEY, Stack, stack } from "../../fixtures/stack.ts"

const TOKEN = "new-game-feed-token"

// An idle time of 1 ms makes nearly every request reopen its session from FEED.
const Intake = HttpRouter.serve(intakeRoutes([cs2Feed, pingPongFeed]), routing).pipe(
  Layer.fresh,
  Layer.provideMerge(NodeHttpServer.layerTest),
  Layer.provide(Rejections.layer),
  Layer.provide(FeedConfig.layer({ token: Redacted.make(TOKEN), idleFor: "1 millis" })),
)

const games = { run: [cs2LiveGame, pingPongLiveGame], served: [cs2Live, pingPongLive] }
const Server = Intake.pipe(Layer.provideMerge(stack(EventLogMemory.layer({ streams }), embeddedMemory, generousMetering, games)))

const post = Effect.fnUntraced(function* (path: string, content: unknown, token = TOKEN) {
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.post(`${FEED_ROOT}${path}`, {
    headers: { [FEED_TOKEN_HEADER]: token },
    body: HttpBody.jsonUnsafe(content),
  })
  const response = yield* client.execute(request)
  return { status: response.status, body: yield* response.json }
}, Effect.scoped)

const decodeRegistered = Schema.decodeUnknownEffect(Schema.Struct({ data: Schema.Struct({ matchId: MatchId, eventsUrl: Schema.String }) }))
const refusal = (answer: { readonly status: number; readonly body: unknown }) => {
  const { error } = answer.body as { readonly error: { readonly code: string } }
  return [answer.status, error.code]
}
const dataOf = ({ body }: { readonly body: unknown }) => (body as { readonly data: object }).data

interface Message {
  readonly type: string
  readonly matchId?: string
  readonly seq?: number
  readonly data?: object
}

it.live("accepts facts over HTTP for a game defined in one file, validates them by its rules, and sends them to customers", () =>
  Effect.gen(function* () {
    const { wsUrl } = yield* Stack
    const messages: Array<Message> = []
    const socket = yield* rawSocket(`${wsUrl}/pingpong/live/ws?apiKey=${KEY}&flush=immediate&shape=v1`, (message) => {
      messages.push(JSON.parse(message))
    })
    socket.send({ action: "subscribe", rooms: ["all"] })

    const registered = yield* post("/pingpong/matches", { home: "Ito", away: "Boll" })
    assert.strictEqual(registered.status, 200, JSON.stringify(registered.body))
    const { eventsUrl, matchId } = (yield* decodeRegistered(registered.body)).data
    assert.strictEqual(matchId, "pingpong-match-1001")
    assert.isTrue(eventsUrl.endsWith("/feed/v1/pingpong/matches/pingpong-match-1001/events"))
    const events = `/pingpong/matches/${matchId}/events`

    const now = yield* Clock.currentTimeMillis
    const point = (n: number, to: string) => ({ id: `p${n}`, type: "Point", observedAt: Math.floor(now) + n, payload: { to } })
    const points = Array.from({ length: 20 }, (_, n) => point(n, n === 19 || n % 2 === 0 ? "home" : "away"))
    const half = yield* post(events, points.slice(0, 10))
    assert.deepInclude(dataOf(half), { accepted: 10, ignored: 0, problemCount: 0 })
    // Sends half of the facts again. Known facts are ignored.
    assert.deepInclude(dataOf(yield* post(events, points.slice(5))), { accepted: 10, ignored: 5, problemCount: 0 })
    const late = yield* post(events, [point(20, "away")])
    assert.deepInclude(dataOf(late), { accepted: 0, problemCount: 1 })
    assert.deepInclude(dataOf(late), { problems: [{ code: "match_over", message: "match_over", line: 1 }] })

    // FEED holds each fact once.
    const log = yield* EventLog
    const records = yield* Stream.runCollect(log.read(FEED, feedSubject(matchId), { _tag: "First" }))
    assert.strictEqual(records.length, 21)

    yield* Effect.suspend(() => (messages.some(({ seq }) => seq === 21) ? Effect.void : Effect.fail("not there yet"))).pipe(
      Effect.retry(Schedule.spaced("10 millis")),
      Effect.timeout("5 seconds"),
    )
    const updates = messages.filter(({ type }) => type === "pingpong.live.update")
    assert.deepStrictEqual(
      updates.map(({ seq }) => seq),
      Array.from({ length: 21 }, (_, index) => index + 1),
    )
    assert.deepInclude(updates.at(-1)?.data, {
      matchId,
      status: "completed",
      home: { name: "Ito", points: 11 },
      away: { name: "Boll", points: 9 },
    })
    const row = yield* (yield* Matches).find(matchId).pipe(
      Effect.flatMap((found) =>
        Option.exists(found, ({ status }) => status === "completed")
          ? Effect.succeed(Option.getOrThrow(found))
          : Effect.fail("not over yet"),
      ),
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeout("5 seconds"),
    )
    assert.deepInclude(row, { team1: { id: "Ito", name: "Ito" }, result: { points: [11, 9] } })
  }).pipe(Effect.scoped, Effect.provide(Server)),
)

it.live("rejects facts that do not fit the game before they reach FEED", () =>
  Effect.gen(function* () {
    const { matchId } = (yield* decodeRegistered((yield* post("/pingpong/matches", { home: "Ito", away: "Boll" })).body)).data
    const events = `/pingpong/matches/${matchId}/events`
    const point = { id: "p1", type: "Point", observedAt: 1, payload: { to: "home" } }

    assert.deepStrictEqual(refusal(yield* post("/pingpong/matches", { home: "Ito", away: "Ito" })), [400, "VALIDATION_ERROR"])
    assert.deepStrictEqual(refusal(yield* post("/pingpong/matches", { home: "Ito" })), [400, "VALIDATION_ERROR"])
    assert.deepStrictEqual(refusal(yield* post("/chess/matches", { home: "Ito", away: "Boll" })), [404, "NOT_FOUND"])
    assert.deepStrictEqual(refusal(yield* post("/pingpong/matches", {}, "wrong")), [401, "INVALID_FEED_TOKEN"])
    assert.deepStrictEqual(refusal(yield* post(events, [point], "wrong")), [401, "INVALID_FEED_TOKEN"])
    // One invalid fact rejects the whole request. Only the registration may begin a match.
    for (const wrong of [
      { ...point, payload: { to: "nobody" } },
      { ...point, type: "Began", payload: { home: "a", away: "b" } },
    ]) {
      assert.deepStrictEqual(refusal(yield* post(events, [point, wrong])), [400, "VALIDATION_ERROR"])
    }
    assert.deepStrictEqual(refusal(yield* post("/pingpong/matches/pingpong-match-9999/events", [point])), [404, "MATCH_NOT_FOUND"])
    // A match is known only at the endpoints of its own game.
    assert.deepStrictEqual(refusal(yield* post(`/matches/${matchId}/log`, "")), [404, "MATCH_NOT_FOUND"])
    assert.deepStrictEqual(refusal(yield* post(`/cs2/matches/${matchId}/events`, [])), [404, "MATCH_NOT_FOUND"])

    const log = yield* EventLog
    assert.strictEqual((yield* Stream.runCollect(log.read(FEED, feedSubject(matchId), { _tag: "First" }))).length, 1)

    // CS2 uses the same endpoints.
    const cs2 = yield* post("/cs2/matches", { bestOf: 1, teams: [{ name: "North" }, { name: "South" }] })
    const cs2Match = (yield* decodeRegistered(cs2.body)).data.matchId
    const started = { id: "a", type: "MapStarted", observedAt: 1, payload: { mapNumber: 1, mapName: "de_nuke", ctTeamId: "x" } }
    assert.deepStrictEqual(refusal(yield* post(`/cs2/matches/${cs2Match}/events`, [started])), [400, "VALIDATION_ERROR"])
    assert.lengthOf(yield* (yield* Matches).listActive(gameName("pingpong")), 1)
  }).pipe(Effect.scoped, Effect.provide(Server)),
)
