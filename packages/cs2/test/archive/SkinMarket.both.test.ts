/** Tests the skin market on every driver. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer, Option } from "effect"
import { SkinMarket } from "../../src/archive/skins/SkinMarket.ts"

const skin = (marketName: string, ...prices: ReadonlyArray<number>) => ({
  source: "test",
  marketName,
  prices: prices.map((minorUnits, month) => ({ pricedOn: `2024-0${month + 1}-15`, currency: "CNY", minorUnits })),
})

const names = [
  "AK-47 | Redline (Field-Tested)",
  "StatTrak™ AK-47 | Redline (Field-Tested)",
  "AWP | Asiimov (Battle-Scarred)",
  "★ Karambit | Doppler (Factory New)",
]
const page = { limit: 10, offset: 0 }
const february = new Date("2024-02-01")

const suite = (it: Vitest.MethodsNonLive<SkinMarket>) => {
  it.effect("repeated data changes nothing; a new price adds one", () =>
    Effect.gen(function* () {
      const market = yield* SkinMarket
      const skins = names.map((name) => skin(name, 1_590, 1_700))
      assert.deepStrictEqual(yield* market.write(skins), { created: 4, touched: 4, prices: 8 })
      assert.deepStrictEqual(yield* market.write(skins), { created: 0, touched: 0, prices: 0 })
      assert.deepStrictEqual(yield* market.write([skin(names[0] ?? "", 1_590, 1_700, 1_800)]), { created: 0, touched: 1, prices: 1 })
      assert.deepStrictEqual(yield* market.write([{ ...skin(names[0] ?? ""), rarity: "Classified" }]), {
        created: 0,
        touched: 1,
        prices: 0,
      })
      const found = Option.getOrThrow(yield* market.find("ak-47-redline-field-tested"))
      assert.deepStrictEqual(
        [found.marketName, found.weapon, found.wear, found.statTrak, found.rarity],
        [names[0], "AK-47", "Field-Tested", false, "Classified"],
      )
      assert.deepStrictEqual(found.price, { pricedOn: "2024-03-15", currency: "CNY", amount: 18, minorUnits: 1_800 })
      assert.deepStrictEqual(yield* market.find(found.id), Option.some(found))
      assert.deepStrictEqual(yield* market.find("cs2-skin-99999"), Option.none())
    }),
  )

  it.effect("search tolerates typos and lists the closest names first; filters narrow the results", () =>
    Effect.gen(function* () {
      const market = yield* SkinMarket
      const found = yield* market.list({ ...page, q: "asimov" })
      assert.deepStrictEqual(
        found.rows.map(({ marketName }) => marketName),
        ["AWP | Asiimov (Battle-Scarred)"],
      )
      const redlines = yield* market.list({ ...page, q: "ak redline", statTrak: true })
      assert.deepStrictEqual([redlines.total, redlines.rows[0]?.statTrak], [1, true])
      assert.strictEqual((yield* market.list({ ...page, weapon: "AK-47" })).total, 2)
      assert.deepStrictEqual(
        (yield* market.list({ limit: 1, offset: 3 })).rows.map(({ category }) => category),
        ["knife"],
      )
    }),
  )

  it.effect("gives names that differ only in symbols distinct slugs, in any order", () =>
    Effect.gen(function* () {
      const market = yield* SkinMarket
      yield* market.write([skin("Sticker | NiKo | London 2018"), skin("Sticker | niko | London 2018")])
      yield* market.write([skin("Sticker | NIKO | London 2018")])
      const { rows } = yield* market.list({ ...page, q: "niko london" })
      assert.strictEqual(new Set(rows.map(({ slug }) => slug)).size, 3)
    }),
  )

  it.effect("lists prices oldest first, by page and range", () =>
    Effect.gen(function* () {
      const market = yield* SkinMarket
      const { id } = Option.getOrThrow(yield* market.find("star-karambit-doppler-factory-new"))
      const all = yield* market.prices(id, page)
      assert.deepStrictEqual([all.total, ...all.rows.map(({ minorUnits }) => minorUnits)], [2, 1_590, 1_700])
      assert.strictEqual((yield* market.prices(id, { ...page, from: february })).total, 1)
      assert.strictEqual((yield* market.prices(id, { ...page, currency: "USD" })).total, 0)
    }),
  )
}

const on = (driver: AnyDatabase) => SkinMarket.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(driver))

onDatabaseOfRun((database, driver) => layer(on(driver), { timeout: "60 seconds" })(`SkinMarket on ${database}`, suite))
