/**
 * Import source `skin-prices`: monthly prices of items by market name. Each file is one JSON object of the form `{
 * "<name>": [[epoch seconds], [cents of CNY], [listings]] }`. A month without listings repeats the last asking price,
 * which is imported unchanged.
 */
import { jsonAs } from "@matchpoint/game/feed/import/files"
import { accept, addTally, defineSource, nothingWritten, type ReadRecord, reject } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Option, Schema, Stream } from "effect"
import { type QuotedSkin, SkinMarket } from "../../../archive/skins/SkinMarket.ts"

const SOURCE = "skin-prices"

const History = Schema.Tuple([Schema.Array(Schema.Natural), Schema.Array(Schema.Natural), Schema.Array(Schema.Natural)])
const decodeHistory = Schema.decodeUnknownOption(History)

export const readPrices = (marketName: string, value: unknown): ReadRecord<QuotedSkin> => {
  const history = decodeHistory(value)
  if (marketName.trim() === "") return reject("the item has no name", { [marketName]: value })
  if (Option.isNone(history)) return reject("the value is not three lists of integers: times, prices, listings", { [marketName]: value })
  const [times, prices] = history.value
  if (times.length !== prices.length) return reject(`${times.length} times for ${prices.length} prices`, { [marketName]: value })
  return accept({
    source: SOURCE,
    marketName,
    prices: times.flatMap((seconds, index) => {
      const minorUnits = prices[index]
      return minorUnits === undefined
        ? []
        : [{ pricedOn: new Date(seconds * 1_000).toISOString().slice(0, 10), currency: "CNY", minorUnits }]
    }),
  })
}

export const skinPrices = defineSource({
  name: SOURCE,
  summary: "monthly prices of skins: price-history-*.json(.gz, .xz)",
  version: 1,
  takes: (name) => /(^|\/)price-history[^/]*\.json(\.gz|\.xz)?$/.test(name),
  order: () => 1,
  batchSize: 500,
  read: (file) =>
    Stream.unwrap(
      Effect.map(jsonAs(file, Schema.Record(Schema.String, Schema.Unknown)), (items) =>
        Stream.map(Stream.fromIterable(Object.entries(items)), ([name, value]) => readPrices(name, value)),
      ),
    ),
  write: (skins) => writeSkins(skins),
})

/** An item counts as updated if it has a new price. */
export const writeSkins = Effect.fnUntraced(function* (skins: ReadonlyArray<QuotedSkin>) {
  const market = yield* SkinMarket
  const { created, touched } = yield* market.write(skins)
  const updated = touched - created
  return addTally(nothingWritten, { created, updated, unchanged: skins.length - created - updated })
})
