/** Odds and skins from their sources: single records, and whole files imported twice. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { OddsBook } from "@matchpoint/cs2/archive/odds/OddsBook"
import { OddsRecorder } from "@matchpoint/cs2/archive/odds/OddsRecorder"
import { SkinMarket } from "@matchpoint/cs2/archive/skins/SkinMarket"
import { isOurs, oddsMarkets, readMarket } from "@matchpoint/cs2/feed/import/odds/marketCaptures"
import { readSkin, skinCatalog } from "@matchpoint/cs2/feed/import/skins/catalog"
import { readPrices, skinPrices } from "@matchpoint/cs2/feed/import/skins/priceHistory"
import { addTally, type ImportSource, nothingWritten } from "@matchpoint/game/feed/import/ImportSource"
import { Migrations } from "@matchpoint/games/Migrations"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Result, Stream } from "effect"
import { inject } from "vitest"

const capture = (more: object) => ({
  id: "7",
  question: "Counter-Strike: Alpha vs Bravo - Map 2 Winner",
  outcomes: '["Alpha", "Bravo"]',
  outcomePrices: '["0.25", "0.75"]',
  closed: false,
  updatedAt: "2026-02-07T11:00:00Z",
  gameStartTime: "2026-02-07 12:00:00+00",
  ...more,
})

const read = <A>(one: Result.Result<A, { readonly reason: string }>) => (Result.isSuccess(one) ? one.success : one.failure.reason)

describe("odds of a capture", () => {
  it("become decimal prices of the map's market", () => {
    const market = Result.getOrThrow(readMarket(capture({})))
    assert.deepStrictEqual([market.kind, market.mapNumber, market.teams, market.winner], ["map_winner", 2, ["Alpha", "Bravo"], undefined])
    assert.deepStrictEqual(market.quotes, [{ at: Date.parse("2026-02-07T11:00:00Z"), team1: 4, team2: 1.333, state: "open" }])
    assert.strictEqual(market.startsAt, Date.parse("2026-02-07T12:00:00Z"))
  })

  it("settle with a winner, or without one if the match was called off", () => {
    const closed = { closed: true, closedTime: "2026-02-07 15:00:00+00", question: "Counter-Strike: Alpha vs Bravo (BO3) - Cup" }
    const won = Result.getOrThrow(readMarket(capture({ ...closed, outcomePrices: '["0", "1"]' })))
    assert.deepStrictEqual([won.kind, won.winner, won.quotes[0]?.state, won.quotes[0]?.team1], ["series_winner", 2, "closed", null])
    assert.isUndefined(Result.getOrThrow(readMarket(capture({ ...closed, outcomePrices: '["0.5", "0.5"]' }))).winner)
  })

  it("are rejected with a reason if malformed", () => {
    assert.strictEqual(read(readMarket(capture({ outcomes: '["Yes", "No", "Maybe"]' }))), "the market does not have exactly two teams")
    assert.strictEqual(read(readMarket(capture({ outcomePrices: '["2", "x"]' }))), "the prices are not two probabilities")
    assert.strictEqual(read(readMarket(capture({ updatedAt: null }))), "the prices have no time")
    assert.strictEqual(read(readMarket(capture({ outcomes: "[" }))), "the market needs id, question, outcomes and outcomePrices")
    assert.isFalse(isOurs(capture({ question: "Dota 2: A vs B" })))
    assert.isFalse(isOurs(capture({ question: "Total Rounds Over/Under 46.5" })))
  })
})

describe("skins", () => {
  it("have prices by month or by wear", () => {
    const months = Result.getOrThrow(
      readPrices("AWP | Asiimov (Field-Tested)", [
        [1_663_243_200, 1_665_878_400],
        [1_590, 1_700],
        [0, 4],
      ]),
    )
    assert.deepStrictEqual(months.prices[1], { pricedOn: "2022-10-16", currency: "CNY", minorUnits: 1_700 })
    assert.strictEqual(read(readPrices("x", [[1], [], []])), "1 times for 0 prices")
    assert.strictEqual(read(readPrices("x", "y")), "the value is not three lists of integers: times, prices, listings")
    const items = readSkin({
      weapon: "AWP",
      skin_name: "Asiimov",
      rarity: "Covert",
      introduced: "20 February 2014",
      variants: [{ wear: "Well-Worn", prices: { normal: { usd: 81.5, last_updated: "2025-10-04T14:09:04.5" }, stattrak: { usd: 0 } } }],
    })
    assert.deepStrictEqual(items.map(read), [
      {
        source: "skin-catalog",
        marketName: "AWP | Asiimov (Well-Worn)",
        rarity: "Covert",
        collection: undefined,
        introducedOn: "2014-02-20",
        prices: [{ pricedOn: "2025-10-04", currency: "USD", minorUnits: 8_150 }],
      },
    ])
  })
})

const data = inject("dataDirectory")

const Store = Layer.mergeAll(OddsBook.layer, OddsRecorder.layer, SkinMarket.layer).pipe(
  Layer.provide(Migrations.layer),
  Layer.provide(embeddedMemory),
)

const imported = <R>(source: ImportSource<R>, name: string) =>
  source.batches({ name, path: join(data ?? "", name), companions: new Map() }, 0).pipe(
    Stream.mapEffect(({ rejections, write }) => Effect.map(write, (tally) => ({ tally, rejected: rejections.length }))),
    Stream.runFold(
      () => ({ ...nothingWritten, rejected: 0 }),
      (sum, { rejected, tally }) => ({ ...addTally(sum, tally), rejected: sum.rejected + rejected }),
    ),
  )

describe.skipIf(data === null)("whole files imported twice", () => {
  it.live(
    "odds",
    () =>
      Effect.gen(function* () {
        const first = yield* imported(oddsMarkets, "odds/esports_markets.json.gz")
        assert.deepStrictEqual(first, { created: 3, updated: 0, unchanged: 0, rejected: 0 })
        assert.deepStrictEqual(yield* imported(oddsMarkets, "odds/esports_markets.json.gz"), {
          created: 0,
          updated: 0,
          unchanged: 3,
          rejected: 0,
        })
        const { rows } = yield* (yield* OddsBook).markets({ limit: 10, offset: 0 })
        assert.deepStrictEqual(
          rows.map(({ state, winner }) => [state, winner]),
          [
            ["open", null],
            ["closed", "team1"],
            ["closed", "team1"],
          ],
        )
      }).pipe(Effect.provide(Store)),
    60_000,
  )

  it.live(
    "skins",
    () =>
      Effect.gen(function* () {
        const file = "skins/price-history-monthly.json.xz"
        const first = yield* imported(skinPrices, file)
        assert.deepStrictEqual(first, { created: 21_954, updated: 0, unchanged: 0, rejected: 0 })
        assert.deepStrictEqual(yield* imported(skinPrices, file), { created: 0, updated: 0, unchanged: 21_954, rejected: 0 })
        const catalog = yield* imported(skinCatalog, "skins/skins_database.json.gz")
        assert.strictEqual(catalog.rejected, 0)
        assert.isAbove(catalog.created + catalog.updated, 0)
        const market = yield* SkinMarket
        const { total } = yield* market.list({ limit: 1, offset: 0 })
        assert.strictEqual(total, 21_954 + catalog.created)
      }).pipe(Effect.provide(Store)),
    240_000,
  )
})
