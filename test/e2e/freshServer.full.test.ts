/**
 * Tests `npm start` on an empty folder: requests every GET operation below `/cs2` right after the first response. The
 * operations come from the contract, so new ones are included without a change here.
 */
import { assert, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { Effect, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { Standalone } from "../fixtures/Standalone.ts"

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header"]),
  required: Schema.Boolean,
  schema: Schema.Struct({ enum: Schema.optionalKey(Schema.Array(Schema.String)) }),
})
const Operations = Schema.Record(
  Schema.String,
  Schema.Struct({ get: Schema.optionalKey(Schema.Struct({ parameters: Schema.Array(Parameter) })) }),
)

const operations = Object.entries(Schema.decodeUnknownSync(Schema.Struct({ paths: Operations }))(OpenApi.fromApi(MatchpointApi)).paths)
  .map(([rooted, { get }]) => ({ path: rooted.slice(API_ROOT.length), parameters: get?.parameters }))
  .flatMap(({ parameters, path }) => (parameters !== undefined && /^\/cs2(\/|$)/.test(path) ? [{ path, parameters }] : []))

/** Key of a plan whose rate limit allows all requests without a pause. */
const KEY = "mp_dev_scale"

type Json = Readonly<Record<string, unknown>>

interface Answer {
  readonly status: number
  readonly data: unknown
}

const get = Effect.fnUntraced(function* (path: string) {
  const { url } = yield* Standalone
  return yield* Effect.promise(async (): Promise<Answer> => {
    const response = await fetch(`${url}${API_ROOT}${path}`, { headers: { "x-api-key": KEY }, signal: AbortSignal.timeout(20_000) })
    if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
      return { status: response.status, data: (await response.json()).data }
    }
    const first = await response.body?.getReader().read()
    return { status: response.status, data: [...(first?.value ?? [])] }
  })
})

const rows = (path: string) =>
  Effect.map(get(path), ({ data, status }): ReadonlyArray<Json> => {
    assert.strictEqual(status, 200, path)
    return (Array.isArray(data) ? data : []) as ReadonlyArray<Json>
  })

/** Returns all rows of a list, page by page. */
const allRows = Effect.fnUntraced(function* (path: string) {
  const all: Array<Json> = []
  for (let page = 1; page < 50; page++) {
    const some = yield* rows(`${path}${path.includes("?") ? "&" : "?"}limit=100&page=${page}`)
    all.push(...some)
    if (some.length < 100) return all
  }
  return all
})

/** Ids taken from lists, by the names of path parameters. */
const idsOf = Effect.gen(function* () {
  const first = (path: string, field: string) => Effect.map(rows(path), ([row]) => String(row?.[field]))
  const [recent] = yield* rows("/cs2/matches/recent?limit=1")
  const matchId = String(recent?.["id"])
  const [game] = yield* rows(`/cs2/matches/${matchId}/games`)
  const teamId = yield* first("/cs2/teams", "id")
  // Takes a player from the transfers, because not every player has changed teams.
  const [transfers] = [yield* get("/cs2/transfers/recent?limit=1")]
  const playerId = String((transfers.data as { readonly transfers: ReadonlyArray<Json> }).transfers[0]?.["playerId"])
  const eventId = yield* first("/cs2/events/recent", "id")
  const gameId = String(game?.["id"])
  const archived: Json = {
    matchId,
    gameId,
    mapId: gameId,
    teamId,
    teamIdOrSlug: teamId,
    playerId,
    playerIdOrSlug: playerId,
    eventId,
    eventIdOrSlug: eventId,
    marketId: yield* first("/cs2/odds", "id"),
    skinIdOrSlug: yield* first("/cs2/skins", "id"),
    q: yield* first("/cs2/teams", "name"),
    team: recent?.["team1Id"],
    team1: recent?.["team1Id"],
    team2: recent?.["team2Id"],
  }
  return {
    archived,
    live: { ...archived, matchId: yield* first("/cs2/live", "matchId") },
    odds: { ...archived, matchId: yield* first("/cs2/odds", "matchId") },
  }
})

/**
 * Returns the addresses of an operation: one for each value of a parameter with an enum, otherwise one with a known id.
 */
const addresses = (ids: Effect.Success<typeof idsOf>, { parameters, path }: (typeof operations)[number]): ReadonlyArray<string> => {
  const values: Json = path.startsWith("/cs2/live") ? ids.live : path.startsWith("/cs2/odds") ? ids.odds : ids.archived
  const required = parameters.filter((parameter) => parameter.in !== "header" && parameter.required)
  return required.reduce<ReadonlyArray<string>>(
    (places, { in: where, name, schema }) => {
      const known = schema.enum ?? (values[name] === undefined ? [] : [String(values[name])])
      assert.isNotEmpty(known, `${path} needs ${name}, and this test has no value for it: add one`)
      return places.flatMap((place) =>
        known.map((value) =>
          where === "path"
            ? place.replace(`{${name}}`, encodeURIComponent(value))
            : `${place}${place.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`,
        ),
      )
    },
    [path],
  )
}

const isEmpty = (data: unknown): boolean => {
  if (Array.isArray(data)) return data.length === 0
  if (typeof data !== "object" || data === null) return true
  if ("dataAvailable" in data && data.dataAvailable === false) return true
  const lists = Object.values(data).filter(Array.isArray)
  return lists.length > 0 && lists.every(({ length }) => length === 0)
}

interface Tally {
  fields: number
  nulls: number
  readonly names: Map<string, number>
}

/** Counts fields at any depth, including the fields of rows in lists. */
const count = (value: unknown, tally: Tally, path: string): void => {
  if (Array.isArray(value)) for (const item of value) count(item, tally, path)
  else if (typeof value === "object" && value !== null)
    for (const [name, field] of Object.entries(value)) count(field, tally, `${path}.${name}`)
  else {
    tally.fields += 1
    if (value !== null) return
    tally.nulls += 1
    tally.names.set(path, (tally.names.get(path) ?? 0) + 1)
  }
}

it.layer(Standalone.layer({ matches: 4, speed: 1, fresh: true, startWithin: "4 minutes" }), {
  excludeTestServices: true,
  timeout: "5 minutes",
})("a fresh server", (it) => {
  it.effect(
    "has data at every CS2 endpoint",
    () =>
      Effect.gen(function* () {
        const ids = yield* idsOf
        const bare: Array<string> = []
        // The address of a WebSocket answers no GET without an upgrade.
        const places = operations.filter(({ path }) => path !== "/cs2/live/ws").flatMap((operation) => addresses(ids, operation))
        assert.isAtLeast(places.length, 90)
        for (const place of places) {
          const { data, status } = yield* get(place)
          if (status !== 200) bare.push(`${status} ${place}`)
          else if (isEmpty(data)) bare.push(`empty ${place}`)
        }
        assert.deepStrictEqual(bare, [])
      }),
    120_000,
  )

  it.effect(
    "leaves at most a tenth of the fields of teams, players and events null",
    () =>
      Effect.gen(function* () {
        for (const kind of ["teams", "players", "events"]) {
          const tally: Tally = { fields: 0, nulls: 0, names: new Map() }
          const listed = yield* allRows(`/cs2/${kind}`)
          assert.isAbove(listed.length, 9, kind)
          count(listed, tally, kind)
          for (const { id } of listed) count((yield* get(`/cs2/${kind}/${id}`)).data, tally, `${kind}/id`)
          const most = [...tally.names].sort(([, a], [, b]) => b - a).slice(0, 8)
          assert.isAtMost(
            tally.nulls / tally.fields,
            0.1,
            `${kind}: ${tally.nulls} of ${tally.fields} fields are null: ${JSON.stringify(most)}`,
          )
        }
      }),
    120_000,
  )

  it.effect("serves the pictures and demos that it links to", () =>
    Effect.gen(function* () {
      const { url } = yield* Standalone
      const [team] = yield* rows("/cs2/teams?limit=1")
      const [player] = yield* rows("/cs2/players?limit=1")
      const [event] = yield* rows("/cs2/events?limit=1")
      const [match] = yield* rows("/cs2/matches/recent?limit=1")
      const [demo] = yield* rows(`/cs2/matches/${match?.["id"]}/demos`)
      const pictures = [
        ...["logoUrl", "alternateLogoUrl", "darkUiLogoUrl"].map((field) => team?.[field]),
        player?.["imageUrl"],
        ...["logoUrl", "imageUrl", "bannerImageUrl"].map((field) => event?.[field]),
      ]
      for (const picture of pictures) {
        const response = yield* Effect.promise(() => fetch(new URL(String(picture), url)))
        assert.strictEqual(response.status, 200, String(picture))
        assert.strictEqual(response.headers.get("content-type"), "image/svg+xml", String(picture))
        assert.include(response.headers.get("cache-control"), "max-age=")
        const text = yield* Effect.promise(() => response.text())
        assert.match(text, /<title>[^<]+<\/title>/)
        assert.isBelow(text.length, 4_000)
      }
      const response = yield* Effect.promise(() => fetch(new URL(String(demo?.["url"]), url), { headers: { "x-api-key": KEY } }))
      assert.strictEqual(response.status, 200, String(demo?.["url"]))
    }),
  )
})
