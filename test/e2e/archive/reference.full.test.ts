/** Tests search and reference over HTTP: results, catalogs, freshness, changelog, overview, and unknown paths. */
import { assert, it } from "@effect/vitest"
import { Found } from "@matchpoint/cs2/contract/http/data/endpoints/SearchApi"
import { Change, MapPool, MapRow, Overview, SyncHealth, Weapon, WebhookAnswer } from "@matchpoint/cs2/contract/http/data/referenceModels"
import { cs2EventNames, ScoreUpdatedData } from "@matchpoint/cs2/contract/webhookEvents"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { type ArchiveResponse, ArchiveStack, archiveStacks, dataAs } from "../../fixtures/archiveStack.ts"

const decodeScore = Schema.decodeUnknownEffect(ScoreUpdatedData, { onExcessProperty: "error" })
const found = dataAs(Found)
const changes = dataAs(Schema.Array(Change))
const overview = dataAs(Overview)
const pool = dataAs(MapPool)
const maps = dataAs(Schema.Array(MapRow))
const weapons = dataAs(Schema.Array(Weapon))
const health = dataAs(SyncHealth)
const metaOf = ({ text }: ArchiveResponse): Record<string, unknown> => JSON.parse(text).meta

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`search and reference on ${database}`, (it) => {
    it.effect("finds names despite typing errors, each kind up to the limit", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const response = yield* get("/cs2/search?q=alpa%20wolvs")
        assert.strictEqual(found(response).teams[0]?.slug, "alpha-wolves")
        assert.deepInclude(metaOf(response), { limit: 10, query: "alpa wolvs" })
        const players = yield* get("/cs2/autocomplete?q=p1&limit=500")
        assert.strictEqual(metaOf(players)["limit"], 50)
        assert.lengthOf(found(yield* get("/cs2/autocomplete?q=p")).players, 5)
        assert.strictEqual(found(yield* get(`/cs2/search?q=${encodeURIComponent("Čarodějové")}`)).teams[0]?.slug, "carodejove")
        assert.deepStrictEqual(found(yield* get("/cs2/search?q=%25")), { teams: [], players: [], events: [], matches: [] })
      }),
    )

    it.effect("rejects a query that is empty or too long", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const path of [
          "/cs2/search",
          "/cs2/search?q=",
          "/cs2/search?q=%20",
          `/cs2/autocomplete?q=${"x".repeat(101)}`,
          "/cs2/search?q=a&limit=0",
        ]) {
          assert.strictEqual((yield* get(path)).status, 400, path)
        }
      }),
    )

    it.effect("limits found matches and events to the plan's history", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const path = "/cs2/search?q=alpha%20wolves"
        const [free, pro] = [found(yield* get(path, "free")), found(yield* get(path, "pro"))]
        assert.lengthOf(pro.matches, 4)
        assert.deepStrictEqual(free.matches, pro.matches.slice(0, 3))
        assert.deepStrictEqual(found(yield* get("/cs2/search?q=winter", "free")).events, [])
      }),
    )

    it.effect("answers the same under both names of a path", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const [one, other] of [
          ["/cs2/maps/pool", "/cs2/map-pool"],
          ["/cs2/webhooks", "/cs2/webhooks/events"],
        ] as const) {
          const response = yield* get(one)
          assert.strictEqual(response.status, 200)
          assert.strictEqual(response.text, (yield* get(other)).text)
        }
      }),
    )

    it.effect("lists every id of a catalog once, and the map pool as part of the maps", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const listed = maps(yield* get("/cs2/maps")).map(({ id }) => id)
        assert.strictEqual(new Set(listed).size, listed.length)
        const { inPool, inPoolCount, maps: entries, removed } = pool(yield* get("/cs2/map-pool"))
        assert.strictEqual(inPoolCount, 7)
        assert.isTrue(inPool.every(({ removedAt, status }) => removedAt === null && status === "in_pool"))
        assert.isTrue(removed.every(({ removedAt, status }) => removedAt !== null && status === "removed"))
        assert.strictEqual(entries.length, inPool.length + removed.length)
        assert.includeMembers(
          listed,
          entries.map(({ id }) => id),
        )
        const arms = yield* get("/cs2/weapons")
        assert.deepStrictEqual(metaOf(arms), { source: "static_catalog", count: weapons(arms).length })
        assert.isTrue(weapons(arms).some(({ id, category }) => id === "ak47" && category === "rifle"))
        assert.strictEqual((yield* get("/cs2/regions")).status, 200)
      }),
    )

    it.effect("lists every endpoint in the overview, with counts", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const { coverage, endpoints } = overview(yield* get("/cs2"))
        assert.deepInclude({ ...coverage }, { matches: 6, live: 0, upcoming: 2, teams: 4, events: 3 })
        assert.deepInclude({ ...endpoints }, { "matches.upcoming": "/cs2/matches/upcoming", "live.state": "/cs2/live/{matchId}/state" })
        const { stream, ws, ...answering } = endpoints
        assert.deepStrictEqual([stream, ws], ["/cs2/live/stream", "/cs2/live/ws"])
        for (const path of Object.values(answering).filter(
          (one) => !one.includes("{") && !one.includes("search") && !one.includes("autocomplete"),
        )) {
          assert.notInclude([404, 500, 503], (yield* get(path)).status, path)
        }
      }),
    )

    it.effect("returns freshness in snake case", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const decoded = health(yield* get("/cs2/status/sync"))
        assert.strictEqual(decoded.current_status, "healthy")
        assert.isNotNull(decoded.last_successful_sync_at)
      }),
    )

    it.effect("filters and pages the changelog and truncates long values", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const all = yield* get("/cs2/changelog?limit=1000")
        assert.deepInclude(metaOf(all), { total: 2, limit: 200, valuesTruncatedAt: 500 })
        const full = yield* get("/cs2/changelog?entity_id=cs2-player-401&full=true")
        assert.deepStrictEqual([metaOf(full)["valuesTruncatedAt"], changes(full)[0]?.newValue], [null, { text: "x".repeat(800) }])
        const notFull = yield* get("/cs2/changelog?full=true")
        assert.strictEqual(metaOf(notFull)["valuesTruncatedAt"], 500)
        const second = yield* get("/cs2/changelog?limit=1&offset=1")
        assert.deepStrictEqual([changes(second)[0]?.action, metaOf(second)["page"]], ["updated", 2])
        assert.strictEqual((yield* get("/cs2/changelog?full=perhaps")).status, 400)
      }),
    )

    it.effect("returns the webhook descriptor with every CS2 event, both in data and beside it", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const { data, meta, success, ...beside } = yield* Schema.decodeEffect(Schema.fromJsonString(WebhookAnswer))(
          (yield* get("/cs2/webhooks")).text,
        )
        assert.deepStrictEqual<unknown>([beside, success, meta], [data, true, {}])
        assert.isTrue(data.delivery_available)
        assert.deepStrictEqual(data.events, cs2EventNames)
        const { data: example, event } = data.example_payload
        assert.strictEqual(event, "cs2.score.updated")
        assert.deepStrictEqual(yield* decodeScore(example), example)
      }),
    )

    it.effect("answers 304 to a matching entity tag, 405 to other methods and 404 to other paths", () =>
      Effect.gen(function* () {
        const { get, url } = yield* ArchiveStack
        const paths = ["/cs2/weapons", "/cs2/maps/pool", "/cs2/search?q=alpha", "/cs2/leagues", "/cs2/status/sync"]
        for (const path of paths) {
          const etag = (yield* get(path)).headers.get("etag") ?? ""
          const again = yield* get(path, "pro", { "if-none-match": etag })
          assert.deepStrictEqual([again.status, again.text], [304, ""], path)
        }
        const post = yield* Effect.promise(() => fetch(`${url}/cs2/maps/pool`, { method: "POST" }))
        assert.deepStrictEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD"])
        assert.strictEqual((yield* get("/cs2/mappool")).status, 404)
      }),
    )
  })
}
