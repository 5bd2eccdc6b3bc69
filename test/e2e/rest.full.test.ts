/**
 * Tests the REST endpoints of the live section with the client derived from the contract, which fails on any response
 * that breaks it.
 */
import { assert, it } from "@effect/vitest"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { compactOf } from "@matchpoint/cs2/contract/compactOf"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { MatchpointApi, MatchpointApiV2 } from "@matchpoint/games/api/MatchpointApi"
import { Effect, Layer, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { finalDocument, simulatedEvents } from "../fixtures/simulated.ts"
import { announce, feed, KEY, memoryStack, Stack } from "../fixtures/stack.ts"
import { withoutReferences } from "../openapi/documents.ts"

const id = matchId(4_001)
const events = simulatedEvents(41, id)
/** Number of events played: most of the match, but not its end. */
const upTo = Math.floor(events.length * 0.7)

const Playing = Layer.effectDiscard(
  Effect.gen(function* () {
    const { url } = yield* Stack
    yield* announce(id)
    yield* feed(events.slice(0, upTo))
    const updated = finalDocument(events.slice(0, upTo)).updatedAt
    yield* get(`${url}/cs2/live/${id}/scoreboard`).pipe(
      Effect.filterOrFail(({ text }) => text.includes(updated)),
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeout("20 seconds"),
    )
  }),
)

const get = (url: string, headers: Record<string, string> = { "x-api-key": KEY }, method = "GET") =>
  Effect.promise(async () => {
    // Asks for uncompressed responses, because compressed ones have weak entity tags.
    const response = await fetch(url, { headers: { "accept-encoding": "identity", ...headers }, method })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const api = Effect.gen(function* () {
  const { url } = yield* Stack
  return yield* HttpApiClient.make(MatchpointApi, {
    transformClient: HttpClient.mapRequest((request) =>
      request.pipe(HttpClientRequest.prependUrl(new URL(url).origin), HttpClientRequest.setHeader("x-api-key", KEY)),
    ),
  })
}).pipe(Effect.provide(FetchHttpClient.layer))

const apiV2 = Effect.gen(function* () {
  const { url } = yield* Stack
  return yield* HttpApiClient.make(MatchpointApiV2, {
    transformClient: HttpClient.mapRequest((request) =>
      request.pipe(HttpClientRequest.prependUrl(new URL(url).origin), HttpClientRequest.setHeader("x-api-key", KEY)),
    ),
  })
}).pipe(Effect.provide(FetchHttpClient.layer))

it.layer(Layer.provideMerge(Playing, memoryStack), { timeout: 60_000, excludeTestServices: true })("live section", (it) => {
  const expected = finalDocument(events.slice(0, upTo))

  it.effect("has a profile of each player in a live match at once", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      for (const { id: player, name, nickname, teamId } of expected.players) {
        const { status, text } = yield* get(`${url}/cs2/players/${player}`)
        assert.strictEqual(status, 200, text)
        assert.deepInclude(JSON.parse(text).data, { id: player, nickname, realName: name, currentTeamId: teamId, status: "active" })
      }
      assert.strictEqual((yield* get(`${url}/cs2/players/cs2-player-999999`)).status, 404)
    }),
  )

  it.effect("shows weapons on the scoreboard as text, also for dead players", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const { data } = JSON.parse((yield* get(`${url}/cs2/live/${id}/scoreboard`)).text)
      const weapons = data.players.map(({ weapon }: { readonly weapon: unknown }) => weapon)
      assert.isTrue(weapons.every((weapon: unknown) => typeof weapon === "string"))
      assert.strictEqual(
        weapons.filter((weapon: unknown) => weapon === "").length,
        expected.players.filter(({ weapon }) => weapon === null).length,
      )
    }),
  )

  it.effect("lists the stream and the socket in the overview", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const { data } = JSON.parse((yield* get(`${url}/cs2`)).text)
      assert.deepInclude(data.endpoints, { stream: "/cs2/live/stream", ws: "/cs2/live/ws" })
    }),
  )

  it.effect("lists the match", () =>
    Effect.gen(function* () {
      const client = yield* api
      const { data, meta } = yield* client["cs2-live"].list({ query: {} })
      assert.strictEqual(data[0]?.matchId, id)
      assert.deepStrictEqual(data[0]?.currentMapScore, { team1: expected.teams[0].mapScore, team2: expected.teams[1].mapScore })
      assert.deepStrictEqual(meta, { count: 1, limit: 100, total: 1, page: 1, totalPages: 1, hasNext: false, hasPrev: false })
    }),
  )

  it.effect("shows the document in scoreboard and state", () =>
    Effect.gen(function* () {
      const client = yield* api
      const { data: board } = yield* client["cs2-live"].scoreboard({ params: { matchId: id }, query: {} })
      assert.deepStrictEqual(board.game?.score, expected.game?.score)
      assert.deepStrictEqual(
        board.players.map(({ id, kills, deaths, adr, kast, rating }) => ({ id, kills, deaths, adr, kast, rating })),
        expected.players.map(({ id, kills, deaths, adr, kast, rating }) => ({ id, kills, deaths, adr, kast, rating })),
      )
      assert.strictEqual(board.meta.latencyMs, 40)
      const { data: state } = yield* client["cs2-live"].state({ params: { matchId: id }, query: {} })
      assert.strictEqual(state.roundEndEvents.length, expected.rounds.length)
      const plants = events.slice(0, upTo).filter((event) => event.type === "BombPlanted").length
      assert.strictEqual(state.liveBombEvents.filter((event) => event.eventType === "BombPlanted").length, plants)
    }),
  )

  it.effect("pages rounds, events and player stats and clamps their limits", () =>
    Effect.gen(function* () {
      const client = yield* api
      const params = { matchId: id }
      const all = yield* client["cs2-live"].rounds({ params, query: { limit: 100_000 } })
      assert.strictEqual(all.meta.limit, 100)
      assert.deepStrictEqual(
        all.data.rounds.map((round) => round.eventId),
        expected.rounds.map((round) => round.eventId),
      )
      const second = yield* client["cs2-live"].rounds({ params, query: { limit: 3, page: 2 } })
      assert.deepStrictEqual(second.data.rounds, all.data.rounds.slice(3, 6))
      assert.isTrue(second.meta.hasPrev)
      const kills = events.slice(0, upTo).filter((event) => event.type === "PlayerKilled")
      const happened = yield* client["cs2-live"].events({ params, query: {} })
      assert.strictEqual(happened.data.events.filter((event) => event.eventType === "Kill").length, kills.length)
      const beyond = yield* client["cs2-live"].events({ params, query: { page: 999 } })
      assert.strictEqual(beyond.meta.count, 0)
      const stats = yield* client["cs2-live"].playerStats({ params, query: {} })
      assert.strictEqual(stats.meta.confirmationMaxAgeMs, 45_000)
      assert.strictEqual(stats.data.players.length, 10)
      assert.isTrue(stats.data.isCurrent)
    }),
  )

  it.effect("returns player statistics, bombs and weapons with maps", () =>
    Effect.gen(function* () {
      const client = yield* api
      const { data } = yield* client["cs2-live"].maps({ params: { matchId: id }, query: {} })
      const [map] = data
      assert.strictEqual(map?.id, `${id}-map-1`)
      assert.strictEqual(map?.playerStats.length, 10)
      const kills = events.slice(0, upTo).filter((event) => event.type === "PlayerKilled").length
      assert.strictEqual(
        map?.weaponAggregates.reduce((sum, weapon) => sum + weapon.kills, 0),
        kills,
      )
    }),
  )

  it.effect("limits snapshots by from, to and limit, with a unique id each", () =>
    Effect.gen(function* () {
      const client = yield* api
      const params = { matchId: id }
      const { data, meta } = yield* client["cs2-live"].snapshots({ params, query: { limit: 5_000 } })
      assert.strictEqual(data.length, 100)
      assert.isAbove(meta.total, 100)
      assert.strictEqual(new Set(data.map((row) => row.snapshotId)).size, 100)
      const middle = data[50]?.capturedAt ?? ""
      const later = yield* client["cs2-live"].snapshots({ params, query: { from: middle, to: data[60]?.capturedAt ?? "" } })
      assert.isTrue(later.data.every((row) => row.capturedAt >= middle))
      const none = yield* client["cs2-live"].snapshots({ params, query: { from: "2099-01-01T00:00:00Z" } })
      assert.strictEqual(none.meta.total, 0)
      assert.strictEqual(none.data.length, 0)
    }),
  )

  it.effect("names the channels at the socket endpoint", () =>
    Effect.gen(function* () {
      const client = yield* api
      const { data } = yield* client["cs2-live"].socket({ params: { matchId: id }, query: {} })
      assert.deepStrictEqual(data.transports.websocket.subscribe, { action: "subscribe", rooms: [`match:${id}`] })
      assert.include(data.transports.sse.url, `matchId=${id}`)
    }),
  )

  it.effect("returns the document that deltas patch, with its hash and cursor, in shape v2", () =>
    Effect.gen(function* () {
      const client = yield* apiV2
      const query = { shape: "v2" } as const
      const params = { matchId: id }
      const { data, meta } = yield* client["cs2-live"].state({ params, query })
      assert.deepStrictEqual(data, compactOf(expected))
      assert.deepStrictEqual([meta.shape, meta.epoch, meta.hash], ["v2", 1, stateHash(data)])
      assert.isAtLeast(Date.parse(meta.publishedAt), Date.parse(meta.receivedAt))
      const { data: list } = yield* client["cs2-live"].list({ query })
      assert.deepStrictEqual([list[id]?.seq, list[id]?.team1.score], [meta.seq, data.team1.score])
      const { data: board } = yield* client["cs2-live"].scoreboard({ params, query })
      assert.deepStrictEqual(board.players, data.players)
      const rounds = yield* client["cs2-live"].rounds({ params, query: { ...query, limit: 2, page: 2 } })
      assert.deepStrictEqual(Object.keys(rounds.data.rounds), ["3", "4"])
      const { data: maps } = yield* client["cs2-live"].maps({ params, query })
      assert.strictEqual(maps["1"]?.mapName, expected.maps[0]?.mapName)
      const snapshots = yield* client["cs2-live"].snapshots({ params, query: { ...query, limit: 3 } })
      assert.deepStrictEqual(
        snapshots.data.map((row) => row.seq),
        [0, 1, 2].map((n) => (snapshots.data[0]?.seq ?? 0) + n),
      )
    }),
  )

  it.effect("derives the entity tag from the cursor, shape and page, and answers 304 to a matching tag", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const scoreboard = `${url}/cs2/live/${id}/scoreboard`
      const first = yield* get(scoreboard)
      const etag = first.headers.get("etag") ?? ""
      assert.match(etag, /^"1\.\d+-v1\.d0"$/)
      assert.strictEqual(first.headers.get("cache-control"), "private, no-cache")
      const again = yield* get(scoreboard, { "x-api-key": KEY, "if-none-match": etag })
      assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag])
      const v2 = yield* get(scoreboard, { "x-api-key": KEY, "if-none-match": etag, accept: "application/vnd.svc.cs2.v2+json" })
      assert.deepStrictEqual([v2.status, v2.headers.get("content-type")], [200, "application/vnd.svc.cs2.v2+json"])
      const unknown = yield* get(scoreboard, { "x-api-key": KEY, accept: "application/vnd.svc.cs2.v7+json" })
      assert.deepStrictEqual([unknown.status, errorOf(unknown.text).error.code], [400, "VALIDATION_ERROR"])
      const pages = yield* Effect.forEach(["", "?page=2", "?limit=3"], (query) => get(`${url}/cs2/live/${id}/rounds${query}`))
      assert.strictEqual(new Set(pages.map(({ headers }) => headers.get("etag"))).size, 3)
      const withoutKey = yield* get(scoreboard, { "if-none-match": etag })
      assert.strictEqual(withoutKey.status, 401)
    }),
  )

  it.effect("serves every picture that a response names, without a key and with public caching", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const { origin } = new URL(url)
      const answers = yield* Effect.forEach(["state", "maps"], (read) => get(`${url}/cs2/live/${id}/${read}`))
      const paths = new Set(answers.flatMap(({ text }) => text.match(/\/assets\/[^"]+/g) ?? []))
      assert.isAbove(paths.size, 8)
      for (const path of [...paths, "/assets/cs2/weapons/constructor.svg"]) {
        const { headers, status, text } = yield* get(origin + path, {})
        assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/svg+xml"])
        assert.include(headers.get("cache-control"), "public")
        assert.isTrue(text.startsWith("<svg"))
        assert.strictEqual((yield* get(origin + path, { "if-none-match": headers.get("etag") ?? "" })).status, 304)
      }
      for (const path of ["weapons/ak47", "weapons/..%2fx.svg", "weapons/A.svg", "win/x.svg", "constructor/x.svg", "nothing/ak47.svg"]) {
        assert.strictEqual((yield* get(`${origin}/assets/cs2/${path}`, {})).status, 404)
      }
    }),
  )

  const errorOf = (text: string): { readonly success: boolean; readonly error: { readonly code: string; readonly message: string } } =>
    JSON.parse(text)

  it.effect("refuses unknown keys in either header with the same error, and accepts a valid bearer token", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      for (const headers of [
        {},
        { "x-api-key": "mp_wrong" },
        { "x-api-key": "" },
        { authorization: "Bearer nope" },
        { "x-api-key": "x".repeat(1_000) },
      ]) {
        const answer = yield* get(`${url}/cs2/live`, headers)
        assert.strictEqual(answer.status, 401)
        assert.strictEqual(errorOf(answer.text).error.code, "INVALID_API_KEY")
      }
      assert.strictEqual((yield* get(`${url}/cs2/live`, { authorization: `Bearer ${KEY}` })).status, 200)
    }),
  )

  const refused: ReadonlyArray<readonly [string, number, string]> = [
    ["/cs2/live/cs2-match-999999/scoreboard", 404, "MATCH_NOT_FOUND"],
    ["/cs2/live/nonsense/scoreboard", 400, "VALIDATION_ERROR"],
    ["/cs2/live/cs2-match-0/state", 400, "VALIDATION_ERROR"],
    [`/cs2/live/${id}/rounds?limit=0`, 400, "VALIDATION_ERROR"],
    [`/cs2/live/${id}/rounds?limit=many`, 400, "VALIDATION_ERROR"],
    [`/cs2/live/${id}/snapshots?from=yesterday`, 400, "VALIDATION_ERROR"],
    [`/cs2/live/${id}/snapshots?from=2026-01-02&to=2026-01-01`, 400, "VALIDATION_ERROR"],
    [`/cs2/live/${id}/state?shape=v3`, 400, "VALIDATION_ERROR"],
    ["/cs2/live?shape=", 400, "VALIDATION_ERROR"],
    ["/cs2/live/%00/state", 400, "VALIDATION_ERROR"],
    ["/cs2/nothing", 404, "NOT_FOUND"],
  ]
  for (const [path, status, code] of refused) {
    it.effect(`GET ${path} answers ${status} ${code}`, () =>
      Effect.gen(function* () {
        const { url } = yield* Stack
        const answer = yield* get(url + path)
        assert.strictEqual(answer.status, status)
        const body = errorOf(answer.text)
        assert.isFalse(body.success)
        assert.strictEqual(body.error.code, code)
        assert.isNotEmpty(body.error.message)
      }),
    )
  }

  it.effect("answers HEAD like GET without the body, and rejects other methods", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const head = yield* get(`${url}/cs2/live`, undefined, "HEAD")
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.strictEqual((yield* get(`${url}/cs2/live`, undefined, "POST")).status, 405)
      const preflight = yield* get(`${url}/cs2/live`, { origin: "https://example.org", "access-control-request-method": "GET" }, "OPTIONS")
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
    }),
  )

  it.effect("describes every endpoint and all channels in OpenAPI and serves the docs", () =>
    Effect.gen(function* () {
      const { url } = yield* Stack
      const { origin } = new URL(url)
      const document: { readonly paths: Record<string, unknown> } = JSON.parse((yield* get(`${origin}/openapi.json`)).text)
      const paths = Object.keys(document.paths).map((path) => path.replace("/api/v1/cs2/live", ""))
      const named = [
        "",
        "/stream",
        "/ws",
        ...["socket", "scoreboard", "state", "rounds", "events", "player-stats", "maps", "snapshots", "replay"].map(
          (name) => `/{matchId}/${name}`,
        ),
      ]
      const ofAccount = ["/plans", "/usage", "/usage/sessions", "/usage/sessions/{sessionId}"].map((path) => `/api/v1${path}`)
      const ofWebhooks = [
        "",
        "/{webhookId}",
        ...["pause", "activate", "rotate-secret", "test", "resend", "deliveries"].map((name) => `/{webhookId}/${name}`),
        "/{webhookId}/deliveries/{deliveryId}",
        "/{webhookId}/deliveries/{deliveryId}/resend",
      ].map((path) => `/api/v1/webhooks${path}`)
      // Other tests request each endpoint of the archives, of QR codes and of transcripts.
      assert.sameMembers(
        paths.filter((path) => !/^(?:\/api)?\/v1\/(?:apex|cod|cs2|qr|rocketleague|tennis|transcript|valorant)\b/u.test(path)),
        [...named, ...ofAccount, ...ofWebhooks, "/api/v1/live", "/api/v1/live/stream", "/api/v1/live/ws"],
      )
      const text = JSON.stringify(document)
      const references = new Set(text.match(/#\/components\/schemas\/[^"]+/g))
      const { components }: { readonly components: { readonly schemas: Record<string, unknown> } } = JSON.parse(text)
      for (const reference of references) assert.property(components.schemas, reference.slice("#/components/schemas/".length))
      const { paths: operations } = withoutReferences(JSON.parse(text))
      for (const path of named.filter((name) => !["/stream", "/ws", "/{matchId}/replay"].includes(name))) {
        const read = operations[`/api/v1/cs2/live${path}`]?.["get"] ?? assert.fail(path)
        assert.sameMembers(Object.keys(read.responses["200"]?.content ?? {}), ["application/json", "application/vnd.svc.cs2.v2+json"])
        assert.property(read.responses, "304")
        assert.include(
          read.parameters.map(({ name }) => name),
          "shape",
        )
      }
      assert.include((yield* get(`${origin}/docs`)).text, "<html")
    }),
  )
})
