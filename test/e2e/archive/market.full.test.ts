/** Tests odds and skins over HTTP, with a real gateway, on every database. */
import { assert, it } from "@effect/vitest"
import { MatchOdds, OddsMarket, OddsQuote } from "@matchpoint/cs2/contract/http/data/endpoints/OddsApi"
import { SkinItem, SkinPrice } from "@matchpoint/cs2/contract/http/data/endpoints/SkinsApi"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { sample } from "../../../packages/cs2/test/archive/fixtures/sampleArchive.ts"
import { ArchiveStack, archiveStacks, dataAs } from "../../fixtures/archiveStack.ts"

const isoAt = (at: number): string => new Date(at).toISOString()

const matchOdds = dataAs(MatchOdds)
const markets = dataAs(Schema.Array(OddsMarket))
const quotes = dataAs(Schema.Array(OddsQuote))
const items = dataAs(Schema.Array(SkinItem))
const item = dataAs(SkinItem)
const prices = dataAs(Schema.Array(SkinPrice))

for (const [name, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: 60_000, excludeTestServices: true })(`odds and skins on ${name}`, (it) => {
    it.effect("returns the series and the maps of a match at their newest prices", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const { maps, series } = matchOdds(yield* get(`/cs2/odds/cs2-match-${sample.matches.deep}`))
        assert.deepStrictEqual([series?.state, series?.winner, series?.team1.price], ["closed", "team1", null])
        assert.deepStrictEqual(
          maps.map(({ gameId, state, team2 }) => [gameId as string | null, state, team2.price]),
          [[`cs2-match-${sample.matches.deep}-map-2`, "suspended", 1.5]],
        )
        const none = matchOdds(yield* get(`/cs2/odds/cs2-match-${sample.matches.later}`))
        assert.deepStrictEqual([none.dataAvailable, none.unavailableReason, none.series], [false, "not_yet_indexed", null])
        assert.deepStrictEqual((yield* get("/cs2/odds/cs2-match-999999")).status, 404)
        assert.deepStrictEqual((yield* get("/cs2/odds/somebody")).status, 400)
      }),
    )

    it.effect("returns the price history of a market by page and time", () =>
      Effect.gen(function* () {
        const { get, now } = yield* ArchiveStack
        const all = yield* get("/cs2/odds?kind=series_winner&team=alpha-wolves")
        const [market] = markets(all)
        const line = yield* get(`/cs2/odds/markets/${market?.id}/history`)
        assert.deepStrictEqual(
          quotes(line).map(({ team1 }) => team1),
          [1.8, 1.6, null],
        )
        const second = yield* get(`/cs2/odds/markets/${market?.id}/history?limit=1&page=2`)
        assert.deepStrictEqual(
          [quotes(second)[0]?.team1, second.meta],
          [
            1.6,
            { count: 1, limit: 1, total: 3, page: 2, totalPages: 3, hasNext: true, hasPrev: true, nextCursor: second.meta?.["nextCursor"] },
          ],
        )
        const from = isoAt(now - 40.6 * 86_400_000)
        assert.strictEqual(quotes(yield* get(`/cs2/odds/markets/${market?.id}/history?from=${from}`)).length, 2)
        assert.strictEqual((yield* get("/cs2/odds/markets/cs2-odds-999999/history")).status, 404)
      }),
    )

    it.effect("requires a plan with odds; skins need none", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const refused = yield* get("/cs2/odds", "free")
        assert.deepStrictEqual([refused.status, refused.error?.code], [403, "PLAN_REQUIRED"])
        assert.strictEqual((yield* get("/cs2/skins", "free")).status, 200)
      }),
    )

    it.effect("finds skins despite typos, by id and by slug, with prices limited to the plan's history", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const [found] = items(yield* get("/cs2/skins?q=karambt"))
        assert.strictEqual(found?.slug, "star-karambit-doppler-factory-new")
        const bySlug = yield* get(`/cs2/skins/${found?.slug}`)
        assert.deepStrictEqual(item(yield* get(`/cs2/skins/${found?.id}`)), item(bySlug))
        assert.strictEqual(item(bySlug).price?.amount, 11)
        const pro = yield* get(`/cs2/skins/${found?.slug}/prices?limit=5000`)
        assert.deepStrictEqual([prices(pro).length, pro.meta?.["limit"]], [12, 1_000])
        assert.isBelow(prices(yield* get(`/cs2/skins/${found?.slug}/prices`, "starter")).length, 5)
        const tooOld = yield* get(`/cs2/skins/${found?.slug}/prices?from=2020-01-01`, "starter")
        assert.deepStrictEqual([tooOld.status, tooOld.error?.code], [403, "HISTORY_LIMIT"])
      }),
    )

    it.effect("answers 304 to a matching entity tag", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const { headers } = yield* get("/cs2/skins")
        const again = yield* get("/cs2/skins", "pro", { "if-none-match": headers.get("etag") ?? "" })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
      }),
    )
  })
}
